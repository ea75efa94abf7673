/** Words that the spelling rules get wrong or that weigh little; `1` marks the stressed vowel, none means unstressed. */
const SPELLED = `
a AX|an AX N|the DH AX|of AX V|to T AX|and AE N D|in IH N|is IH Z|it IH T|its IH T S|as AE Z|at AE T|by B AY|for F ER
from F R AH M|on AA N|or AO R|was W AX Z|were W ER|with W IH DH|that DH AE T|this DH IH S|be B IY|been B IH N|has HH AE Z
have HH AE V|had HH AE D|he HH IY|she SH IY|his HH IH Z|her HH ER|him HH IH M|they DH EY|them DH AX M|their DH EH R
there DH EH1 R|these DH IY Z|those DH OW1 Z|we W IY|us AH S|our AW ER|you Y UW|your Y AO R|my M AY|me M IY|i AY|am AE M
are AA R|do D UW1|does D AH1 Z|done D AH1 N|did D IH D|don't D OW1 N T|not N AA1 T|no N OW1|yes Y EH1 S|but B AH T
so S OW|than DH AE N|then DH EH1 N|can K AE N|could K UH D|would W UH D|should SH UH D|will W IH L|what W AH1 T
who HH UW1|whose HH UW1 Z|where W EH1 R|when W EH1 N|why W AY1|how HH AW1|which W IH CH|one W AH1 N|once W AH1 N S
two T UW1|four F AO1 R|eight EY1 T|some S AH1 M|come K AH1 M|comes K AH1 M Z|something S AH1 M TH IH NG|any EH1 N IY
many M EH1 N IY|again AX G EH1 N|said S EH1 D|says S EH1 Z|say S EY1|give G IH1 V|gives G IH1 V Z|live L IH1 V
love L AH1 V|loves L AH1 V Z|move M UW1 V|moves M UW1 V Z|moving M UW1 V IH NG|movie M UW1 V IY|above AX B AH1 V
oven AH1 V AX N|into IH1 N T UW|onto AA1 N T UW|over OW1 V ER|under AH1 N D ER|other AH1 DH ER|another AX N AH1 DH ER
mother M AH1 DH ER|brother B R AH1 DH ER|father F AA1 DH ER|through TH R UW1|though DH OW1|thought TH AO1 T
enough IH N AH1 F|people P IY1 P AX L|water W AO1 T ER|woman W UH1 M AX N|women W IH1 M IH N|girl G ER1 L|boy B OY1
child CH AY1 L D|children CH IH1 L D R AX N|world W ER1 L D|word W ER1 D|work W ER1 K|walk W AO1 K|talk T AO1 K
heart HH AA1 R T|earth ER1 TH|early ER1 L IY|learn L ER1 N|heard HH ER1 D|great G R EY1 T|break B R EY1 K|steak S T EY1 K
head HH EH1 D|dead D EH1 D|bread B R EH1 D|ready R EH1 D IY|heavy HH EH1 V IY|weather W EH1 DH ER|feather F EH1 DH ER
heaven HH EH1 V AX N|ocean OW1 SH AX N|island AY1 L AX N D|river R IH1 V ER|city S IH1 T IY|building B IH1 L D IH NG
beautiful B Y UW1 T IH F AX L|busy B IH1 Z IY|business B IH1 Z N AX S|friend F R EH1 N D|eye AY1|eyes AY1 Z|hour AW1 ER
only OW1 N L IY|old OW1 L D|cold K OW1 L D|gold G OW1 L D|golden G OW1 L D AX N|open OW1 P AX N|always AO1 L W EY Z
minute M IH1 N IH T|color K AH1 L ER|colors K AH1 L ER Z|color K AH1 L ER|colorful K AH1 L ER F AX L|blood B L AH1 D
flood F L AH1 D|door D AO1 R|floor F L AO1 R|poor P UH1 R|good G UH1 D|book B UH1 K|look L UH1 K|foot F UH1 T
wood W UH1 D|put P UH1 T|push P UH1 SH|pull P UH1 L|full F UH1 L|bull B UH1 L|sugar SH UH1 G ER|sure SH UH1 R
machine M AX SH IY1 N|image IH1 M IH JH|camera K AE1 M R AX|video V IH1 D IY OW|audio AO1 D IY OW|radio R EY1 D IY OW
piano P IY AE1 N OW|guitar G IH T AA1 R|music M Y UW1 Z IH K|studio S T UW1 D IY OW|iron AY1 ER N|lion L AY1 AX N
giant JH AY1 AX N T|science S AY1 AX N S|quiet K W AY1 AX T|dragon D R AE1 G AX N|robot R OW1 B AA T|tiger T AY1 G ER
animal AE1 N IH M AX L|animals AE1 N IH M AX L Z|elephant EH1 L AX F AX N T|forest F AO1 R AX S T|desert D EH1 Z ER T
hello HH AX L OW1|welcome W EH1 L K AX M|today T AX D EY1|tomorrow T AX M AA1 R OW|tonight T AX N AY1 T
morning M AO1 R N IH NG|evening IY1 V N IH NG|every EH1 V R IY|everything EH1 V R IY TH IH NG|very V EH1 R IY
pretty P R IH1 T IY|little L IH1 T AX L|sword S AO1 R D|castle K AE1 S AX L|listen L IH1 S AX N|mountain M AW1 N T AX N
mountains M AW1 N T AX N Z|fountain F AW1 N T AX N|cinematic S IH N AX M AE1 T IH K|dramatic D R AX M AE1 T IH K
realistic R IY AX L IH1 S T IH K|slowly S L OW1 L IY|snow S N OW1|know N OW1|show SH OW1|shows SH OW1 Z|own OW1 N
grow G R OW1|low L OW1|slow S L OW1|window W IH1 N D OW|rainbow R EY1 N B OW|flower F L AW1 ER|flowers F L AW1 ER Z
tower T AW1 ER|power P AW1 ER|front F R AH1 N T|monkey M AH1 NG K IY|money M AH1 N IY|honey HH AH1 N IY
anime AE1 N IH M EY|cafe K AE F EY1|neon N IY1 AA N|area EH1 R IY AX|idea AY D IY1 AX|real R IY1 L|being B IY1 IH NG
ghost G OW1 S T|both B OW1 TH|most M OW1 S T|post P OW1 S T|climb K L AY1 M|wild W AY1 L D|mind M AY1 N D|find F AY1 N D
kind K AY1 N D|behind B IH HH AY1 N D|wind W IH1 N D|winds W IH1 N D Z|bear B EH1 R|wear W EH1 R|tear T EH1 R
dance D AE1 N S|toward T AO1 R D|towards T AO1 R D Z|away AX W EY1|atelier AE T AX L Y EY1|universe Y UW1 N IH V ER S
piece P IY1 S|soldier S OW1 L JH ER|wolf W UH1 L F|wolves W UH1 L V Z|moonlight M UW1 N L AY T|galaxy G AE1 L AX K S IY|alien EY1 L IY AX N
living L IH1 V IH NG|giving G IH1 V IH NG|having HH AE1 V IH NG|coming K AH1 M IH NG|although AO L DH OW1|thus DH AH1 S
diamond D AY1 M AX N D|wearing W EH1 R IH NG|bears B EH1 R Z|seagull S IY1 G AH L|person P ER1 S AX N|sunset S AH1 N S EH T
sunrise S AH1 N R AY Z|thunder TH AH1 N D ER|spaceship S P EY1 S SH IH P|i'm AY M|it's IH T S|you're Y UH R|let's L EH T S
nothing N AH1 TH IH NG|sometimes S AH1 M T AY M Z|young Y AH1 NG|field F IY1 L D|photo F OW1 T OW|model M AA1 D AX L
against AX G EH1 N S T|astronaut AE1 S T R AX N AO T|orange AO1 R IH N JH|butterfly B AH1 T ER F L AY|ancient EY1 N SH AX N T
warrior W AO1 R IY ER|sign S AY1 N|snowy S N OW1 IY|tokyo T OW1 K IY OW|asphalt AE1 S F AO L T|fantasy F AE1 N T AX S IY`;

export const COMMON_WORDS: ReadonlyMap<string, string> = new Map(
  SPELLED.trim()
    .split(/[|\n]/)
    .map((entry): [string, string] => {
      const space = entry.indexOf(' ');
      return [entry.slice(0, space), entry.slice(space + 1)];
    }),
);
