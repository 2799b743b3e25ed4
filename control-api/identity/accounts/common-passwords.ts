/** Passwords of at least eight characters from the top of every list of stolen ones; compared in lowercase. */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `12345678 123456789 1234567890 12345678910 123123123 11111111 111111111 1111111111 00000000 000000000 0000000000
  87654321 987654321 9876543210 88888888 99999999 66666666 77777777 55555555 44444444 33333333 22222222 12341234
  11223344 1122334455 112233445566 12344321 123454321 1234567a 12345678a 123456789a a12345678 a123456789 1q2w3e4r
  1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx 1qaz2wsx3edc 1qazxsw2 zaq12wsx qazwsxedc q1w2e3r4 q1w2e3r4t5 qwertyui qwertyuiop
  qwerty12 qwerty123 qwerty1234 qwerty12345 qwerty123456 qwer1234 1234qwer asdfghjk asdfghjkl asdf1234 zxcvbnm1
  zxcvbnm123 password password1 password12 password123 password1234 password! password1! passw0rd passw0rd1 p@ssw0rd
  p@ssword p@ssw0rd1 pass1234 pass12345 mypassword newpassword changeme changeme1 letmein1 letmein123 welcome1
  welcome12 welcome123 welcome1! admin123 admin1234 admin12345 administrator root1234 rootroot testtest test1234
  test12345 testing1 testing123 guest123 user1234 default1 secret12 secret123 supersecret abcd1234 abcd12345 abc12345
  abc123456 abc123abc abcdefgh abcdefghi aaaaaaaa a1b2c3d4 a1b2c3d4e5 iloveyou iloveyou1 iloveyou2 ilovegod lovelove
  loveyou1 sunshine sunshine1 princess princess1 football football1 baseball baseball1 basketball superman superman1
  batman123 spiderman pokemon1 pokemon123 starwars starwars1 trustno1 whatever whatever1 computer computer1 internet
  internet1 samsung1 samsung123 iphone123 google123 facebook facebook1 linkedin myspace1 michael1 michelle jennifer
  jennifer1 jessica1 charlie1 jordan23 jordan123 liverpool liverpool1 chelsea1 arsenal1 barcelona barcelona1 manchester
  midnight mustang1 corvette mercedes ferrari1 porsche1 maverick phoenix1 dragon12 dragon123 monkey12 monkey123
  shadow12 shadow123 master12 master123 freedom1 ginger12 hello123 hello1234 helloworld hello12345 summer12 summer123
  summer2024 summer2025 summer2026 winter12 winter123 winter2024 winter2025 winter2026 spring2025 spring2026
  autumn2025 january1 december november september qweasdzxc qweasd123 zxcasdqwe passport passwort passwort1 motdepasse
  contraseña geheim123 hallo123 hallo1234 schalke04 ihateyou blink182 nintendo playstation xbox3600 minecraft
  minecraft1 fortnite roblox123 callofduty counterstrike warcraft1 starcraft diamond1 victoria alexander elizabeth
  christian christopher nicholas benjamin jonathan samantha stephanie patricia catherine veronica brooklyn12
  angel123 lovely12 friends1 family123 mother12 mommy123 daddy123 babygirl babygirl1 sweetheart butterfly chocolate
  strawberry blueberry pineapple watermelon cocacola1 pepsi123 budweiser marlboro parley123 parleyparley`.split(
    /\s+/,
  ),
);
