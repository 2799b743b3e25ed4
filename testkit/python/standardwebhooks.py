"""Stands in for the library of that name where it is not installed: the same two names, by hmac of Python itself."""

import base64
import hashlib
import hmac
import json
import time


class WebhookVerificationError(Exception):
    pass


class Webhook:
    def __init__(self, secret):
        self._key = base64.b64decode(secret.removeprefix("whsec_"))

    def verify(self, data, headers):
        given = {name.lower(): value for name, value in headers.items()}
        timestamp = given["webhook-timestamp"]
        signed = f"{given['webhook-id']}.{timestamp}.".encode() + data
        expected = base64.b64encode(hmac.new(self._key, signed, hashlib.sha256).digest()).decode()
        is_signed = hmac.compare_digest(f"v1,{expected}", given["webhook-signature"])
        if not is_signed or abs(time.time() - int(timestamp)) > 300:
            raise WebhookVerificationError("no matching signature")
        return json.loads(data)
