/**
 * The functions of English words, as far as they tell whether a sentence may be over: closed classes in full, and the
 * verbs that callers use. The ending of any other word decides its class. Each word has one class, the one that matters
 * at the end of a turn.
 */
const CLASSES = {
  det: "the a an my your our their his every another each whose mr mrs ms dr",
  her: "her",
  some: "some any no other several various",
  dem: "this that these those",
  next: "next last same whole first second third fourth fifth best only main current",
  quant: "more less many much few most all both enough half lot couple bit either neither least",
  prep:
    "of for with from about into at by than onto during without toward towards against via per between among regarding " +
    "concerning despite except near behind below above beside under opposite including within upon across along as",
  to: "to",
  in: "in on",
  particle: "up down out off back away over through around together along apart",
  conj: "and or nor plus",
  but: "but yet so then also",
  sub: "because if when while although though unless whether since until once before after cause whenever",
  filler: "um uh er erm hmm like well basically actually eh uhm",
  i: "i we he she they",
  you: "you it",
  obj: "me us him them myself yourself himself herself themselves one ones mine yours ours theirs hers",
  any:
    "something anything nothing everything someone anyone everyone somebody anybody nobody everybody none somewhere " +
    "anywhere nowhere",
  cop: "i'm you're we're they're he's she's it's that's there's here's name's i'll you'll we'll they'll it'll he'll",
  aux: "i'd you'd we'd they'd he'd she'd i've you've we've they've let's",
  be: "is are was were am be been being",
  do: "do does did",
  have: "have has had having got",
  modal: "can could will would should may might must shall gonna wanna gotta",
  neg:
    "don't doesn't didn't can't cannot couldn't won't wouldn't shouldn't isn't aren't wasn't weren't haven't hasn't " +
    "hadn't mustn't ain't",
  not: "not never",
  wh: "what who which what's who's where's when's how's why's where why how whom",
  deg: "very too quite really pretty extremely rather almost nearly even just still always usually often already kind sort",
  there: "there here",
  time:
    "today tomorrow yesterday tonight now later soon again anymore monday tuesday wednesday thursday friday saturday sunday " +
    "january february march april june july august september october november december morning afternoon evening night noon " +
    "midnight weekend mondays tuesdays wednesdays thursdays fridays saturdays sundays am pm o'clock ago " +
    "mornings afternoons evenings instead either anyway though",
  unit:
    "minute minutes hour hours day days week weeks month months year years people person persons adults children kids " +
    "dollars euros pounds percent nights times",
  num:
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen " +
    "nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand zero double triple oh dozen",
  please:
    "please thanks thank sorry okay ok yes no yeah yep sure right hello hi hey bye goodbye maybe alright fine",
  vcog: "think guess mean suppose believe hope wonder wondering thinking hoping thought assume imagine",
  vneed:
    "want need wanted needed wants needs get gets getting make makes making made give gives giving gave take takes taking " +
    "took put puts putting send sends sending tell tells telling told ask asked asking let lets show shows use using bring " +
    "brings bringing find finds keep keeps keeping kept try tried trying tries buy buying bought say says said saying see " +
    "seeing add adding become became include includes involve require requires prefer expect expected contact replace " +
    "remove mention describe receive received consider confirm discuss check checking seem seems seemed supposed " +
    "looking waiting calling talking going dealing wishing planning forgot regarding visit join reach reset return upgrade " +
    "provide cover covers contains charge purchase set update access",
  vcan:
    "help work works worked working call calls called come comes coming came go goes went know knows knew wait stop stopped " +
    "stops start starts started change changed cancel canceled cancelled order ordered speak spoke talk talked leave left " +
    "leaving arrive arrived understand happen happened happens pay paid paying open opens close closed look looked book " +
    "booked fix fixed break broke broken move moved run running walk eat drink drive fly sleep live stay order fail failed " +
    "finish finished begin began end ended ring rang answer answered die died sign register read write wrote hear heard " +
    "feel felt lose lost win won park travel repeat",
} as const;

export type EnglishTag = keyof typeof CLASSES | "digits" | "letter" | "ly" | "ing" | "ed" | "plural" | "word";

const TAGS: ReadonlyMap<string, EnglishTag> = new Map(
  Object.entries(CLASSES)
    .reverse()
    .flatMap(([tag, words]) => words.split(" ").map((word) => [word, tag as EnglishTag] as const)),
);

/** True for a word that the classes name; it may have its own weight. */
export function isKnownEnglish(word: string): boolean {
  return TAGS.has(word);
}

/** The class of a lower-case word. */
export function englishTag(word: string): EnglishTag {
  const known = TAGS.get(word);
  if (known !== undefined) return known;
  if (/\d/u.test(word)) return "digits";
  if (word.length === 1) return "letter";
  if (word.endsWith("ly")) return "ly";
  if (word.endsWith("ing")) return "ing";
  if (word.endsWith("ed")) return "ed";
  return word.endsWith("s") && !word.endsWith("ss") ? "plural" : "word";
}
