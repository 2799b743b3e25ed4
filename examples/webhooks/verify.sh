#!/bin/sh
# Verifies a delivery with openssl: verify.sh <signing secret> <X-Service-Signature> < body
# Exit code 0: the body is what Parley signed.
expected="sha256=$(openssl dgst -sha256 -hmac "$1" -hex | sed 's/^.* //')"
[ "$expected" = "$2" ]
