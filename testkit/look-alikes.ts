import { PUBLIC_V4 } from "./url-spellings.ts";

/** Public addresses next to blocked ranges, or spelled like blocked ones: each must be accepted. */
export const LOOK_ALIKES: readonly string[] = [
  ...[
    "1.0.0.1 9.255.255.255 11.0.0.1 100.63.255.255 100.128.0.1 126.255.255.255 128.0.0.1 168.63.129.15 168.63.129.17",
    "169.253.1.1 169.255.0.1 172.15.255.255 172.32.0.1 191.255.255.255 192.0.1.1 192.0.3.1 192.167.255.255 192.169.0.1",
    "198.17.0.1 198.20.0.1 198.51.99.255 198.51.101.1 203.0.112.255 203.0.114.1 223.255.255.255 100.100.100.200.example.com",
    "1.1.1.1. 16843009 0x8.0x8.0x8.0x8 010.8.8.8 8.8 １.１.１.１ 93。184。215。14 0300.1.1.1",
    "[2606:4700:4700::1111] [2a00:1450:4001:81b::200e] [2001:4860:4860::8888] [2001:200::1] [2001:db7::1] [2001:db9::1]",
    "[2001:0DB9::127.0.0.1] [2003::1] [2400:cb00::7f00:1] [::ffff:8.8.8.8] [::FFFF:808:808] [2620:4f:8001::1]",
    "localhost.example.com notlocalhost.example.com my-localhost.example.com 127.0.0.1.example.com 10-0-0-1.example.com",
    "metadata.google.internal.example.com 169.254.169.254.example.com bücher.example.com faß.example.com example.example.com.",
    "xn--bcher-kva.example.com HOOKS.Example.COM 0x7f000001.example.com hooks.example.com:8443 hooks.example.com:1",
  ].flatMap((hosts) => hosts.split(" ").map((host) => `https://${host}/`)),
  `HTTPS://${PUBLIC_V4}/Hook`,
  `https://${PUBLIC_V4}#@127.0.0.1/`,
  `https://${PUBLIC_V4}/127.0.0.1/@localhost`,
  `https://${PUBLIC_V4}\\@127.0.0.1/`,
  `https://${PUBLIC_V4}?url=http://127.0.0.1/`,
  `https://@${PUBLIC_V4}/`,
  `https://${PUBLIC_V4}:443/hook?a=1&b=%20#part`,
];
