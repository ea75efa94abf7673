/**
 * English spelling, one rule a word: `before[letters]after=sounds`. The first rule whose letters stand here between
 * its `before` and `after` wins. Both are regular expressions in which V is a vowel letter, C a consonant letter,
 * F one of e, i, y, and E and X endings that keep the vowel before them long. No sound: the letters are silent; `@` is the
 * ending of the past, which depends on the sound before.
 */
const RULES = `
^[a]$=AX ^[a](?:b[aoe]|ch|cr|dr|fl|fr|g[aeo]|l[io]n|m[oau]|ro|sl|w[ao])=AX
[augh]t=AO [augh]=AE,F [au]=AO [aw]=AO [ay]=EY [air]=EH,R [ai]=EY [aa]=AA [ae]=IY [ah]=AA
[are]s?$=EH,R [ar]ed$=EH,R w[ar]d=ER w[ar]=AO,R qu[ar]=AO,R VC+[ar]s?$=ER [arr]V=AE,R [ar]V=EH,R [ar]=AA,R
VC+[age]s?$=IH,JH V.*[ally]$=AX,L,IY VC+[al]s?$=AX,L V[al]$=AX,L [al]k=AO [al]m=AA [all]s?$=AO,L ^[al]C=AO,L
[al]t=AO,L [al]d=AO,L V.*[an]s?$=AX,N V.*[ance]s?$=AX,N,S V.*[ant]s?$=AX,N,T V.*[able]s?$=AX,B,AX,L
[a]nge=EY ch[a]ng=EY [a]ste=EY ^C*[a]CX=EY [a]ting$=EY [a]CE=EY [a]Cle[sd]?$=EY [a][tcs]i[oae]=EY [a]C[yi]$=EY
[a]Cors?$=EY [a]Cive=EY wh[a]t=AH w[a][tsnd]=AA qu[a][nlt]=AA C[a]s?$=AX [a]=AE
m[b]s?$= [bb]=B [bt]$=T [b]=B
[cch]=K [chr]=K,R [chl]=K,L [ch]=CH [ck]=K s[c]F= [cc]F=K,S [cc]=K [ci](?:a|o)=SH [c]F=S [c]=K
[dd]=D [dge]=JH [dg]=JH [d]u[ar]=JH [d]=D
[eau]=OW [ear][nltc]=ER [ear]=IH,R [ead]$=EH,D [ea]lth=EH [ea]su=EH [ea]nt=EH [eath]$=EH,TH cr[ea]t(?:e|i)=IY,EY [ea]=IY
[eer]=IH,R [ee]=IY [eigh]=EY [ei]gn=EY c[ei]=IY [ei]=IY [eu]=Y,UW (?:r|l|j|ch)[ew]=UW [ew]=Y,UW
[ey]s?$=IY [ey]=EY [ere]$=IH,R V.*[er](?:ed|ing)$=ER V.*[er]s?$=ER [err]=EH,R [er]V=EH,R [er]=ER
V.*[ed]$@ V.*[eful]$=F,AX,L V.*[eless]$=L,AX,S V.*[ement]s?$=M,AX,N,T V.*[ely]$=L,IY V.*[eness]$=N,AX,S
(?:s|z|x|sh|ch|c|g)[es]$=IH,Z V.*(?:f|k|p|t)[es]$=S V.*[es]$=Z V.*[e]$= ^C+[e]$=IY
V.*[en](?:ed|ing)$=AX,N V.*[en]s?$=AX,N V.*[ent]s?$=AX,N,T V.*[ence]s?$=AX,N,S
V.*[el]s?$=AX,L V.*[et]s?$=AX,T V.*[ess]$=AX,S [e]Ce[sd]?$=IY
^[e]C[aou]=IH ^[ex]V=IH,G,Z ^[ex]=EH,K,S ^b[e]C=IH ^d[e]C=IH ^r[e]C=IH [eo]=IY,AX [e]=EH
[ff]=F [f]=F
[ght]=T [gh]$= V[gh]= ^[gh]=G [gu]F=G [gue]$=G ^[gn]=N [gn]$=N [gg]=G ^[g][ie](?:t|f|r|ld|v)=G [g]F=JH [g]=G
^[hon]=AA,N [h]V=HH [h]=
[igh]=AY [ign]$=AY,N [ier]s?$=IY,ER [iew]=Y,UW V.*[ies]$=IY,Z V.*[ied]$=IY,D [ies]$=AY,Z [ied]$=AY,D V.*[ie]$=IY [ie]$=AY
[ieve]=IY,V [ield]=IY,L,D [ie]=IY [ious]=IY,AX,S [ion]=IY,AX,N ^C*[ia]=AY,AX ^C*[io]=AY,AX [ia]=IY,AX [io]=IY,OW
[ire]s?$=AY,ER [iring]$=AY,R,IH,NG [irr]=IH,R [ir]V=IH,R [ir]=ER [ing]s?$=IH,NG [ique]=IY,K [ild]$=AY,L,D [ind]$=AY,N,D
V.*[ive]s?$=IH,V (?:sh|l)[ine]s?$=AY,N VC+[ine]$=IY,N V.*[ice]$=IH,S V.*[ite]$=AY,T V.*[ism]$=IH,Z,AX,M
^C*[i]CX=AY [i]CE=AY [i]Cle[sd]?$=AY [i]$=IY ^[i]Ce=AY [i]=IH
[j]=JH
^[kn]=N [k]=K
[ll]=L C[le]$=AX,L C[les]$=AX,L,Z C[led]$=AX,L,D [l]=L
[mm]=M [mn]$=M [m]=M
a[ng](?:er|el|ing)=N,JH [ng]er=NG,G [nge]$=N,JH [ng][rlaou]=NG,G [ng]=NG [n]k=NG [n]x=NG [nn]=N [n]c[kt]=NG [n]=N
[ought]=AO,T [ough]=AH,F [ould]=UH,D V.*[our]s?$=ER [our]n=ER [our]=AO,R [ous]$=AX,S [ou]p=UW [oun]g=AH,NG
[ouch]=AH,CH [ou]=AW [oy]=OY [oi]=OY [oar]=AO,R [oa]=OW [oor]=UH,R [ook]=UH,K [oo]=UW [oe]s?$=OW
(?:fl|bl|sh|kn|hr|gr)[own]$=OW,N [own]$=AW,N [owd]=AW,D [owl]=AW,L [ow]er=AW ^[ow]=OW Cr[ow]=OW l[ow]=OW
V.*[ow]s?$=OW [ow]=AW
w[or]C=ER V.*[or]s?$=ER [ore]s?$=AO,R [orr]=AA,R [or]=AO,R [o]ss$=AO [o]ff=AO [o]ng=AO [old]=OW,L,D [olk]=OW,K [oll]$=OW,L
V.*[on]s?$=AX,N V.*[om]$=AX,M [o]ther=AH [o]ve[rnl]?s?$=AH ^C*[o]CX=OW [o]CE=OW [o]Cle$=OW [o]$=OW [os]$=OW,Z [o]st$=OW
[o][tcs]i[oa]=OW [o]Ce=OW [o]=AA
[ph]=F ^[ps]=S [pp]=P [p]=P
[que]$=K [qu]=K,W [q]=K
^[rh]=R [rr]=R [r]=R
[sch]=S,K [sci]e=S,AY [sh]=SH V[sion]=ZH,AX,N [sion]=SH,AX,N [ssion]=SH,AX,N [sten]$=S,AX,N [stle]=S,AX,L
[ss]=S [sure]=ZH,ER [sual]=ZH,UW,AX,L (?:ou|oo|ca|ba|ha)[se]$=S V[se]$=Z V[s]V=Z [s]m$=Z,AX
(?:b|d|g|m|n|l|r|v|w)[s]$=Z (?:ee|ea|oo|ie|ay|ow|oa|ue|ew|oy|Cy)[s]$=Z [s]=S
[tch]=CH [tion]=SH,AX,N [tious]=SH,AX,S [tial]=SH,AX,L [tient]=SH,AX,N,T [ture]s?$=CH,ER [tu]a=CH,UW
V[ther]=DH,ER [the]$=DH [th]=TH [tt]=T [t]=T
[ui]t=UW b[ui]=IH g[ui]=IH [uy]=AY [urr]=ER [ure]$=Y,UH,R [ur]V=Y,UH,R [ur]=ER [ue]s?$=UW [ue]=UW
(?:r|l|j|ch)[u]C(?:a|e|i|o|u)=UW ^[uni]=Y,UW,N,IH [u]CE=Y,UW [u]Cers?$=Y,UW [u]C[aio]=Y,UW
[ull]$=UH,L V.*[ful]$=F,AX,L V.*[um]$=AX,M V.*[us]$=AX,S [u]$=UW [u]=AH
[vv]=V [v]=V
^[wr]=R [who]=HH,UW [wh]=W [w]=W
^[x]=Z [x]=K,S
^[y]V=Y V[y]V=Y V[y]= ^C+[y]$=AY ^C+[y]ing=AY ^c[y]b=AY [ify]$=IH,F,AY [y]s?$=IY [y]CE=AY [y]C=IH [y]=IY
[zz]=Z [z]=Z`;

const CLASSES: Readonly<Record<string, string>> = {
  V: '[aeiouy]',
  C: '[bcdfghjklmnpqrstvwxz]',
  F: '[eiy]',
  E: '(?:e|es|ed|ely|eful|eless|ement)$',
  X: '(?:er|ers|ing|ings)$',
};

interface SpellingRule {
  readonly letters: string;
  readonly before: RegExp;
  readonly after: RegExp;
  readonly sounds: readonly string[];
}

function parseRule(text: string): SpellingRule {
  const [, before = '', letters = '', after = '', sounds = ''] =
    /^(.*?)\[([a-z]+)\](.*?)[=@](.*)$/.exec(text) ?? [];
  const expand = (pattern: string) => pattern.replaceAll(/[VCFEX]/g, (name) => CLASSES[name] ?? name);
  return {
    letters,
    before: new RegExp(`${expand(before)}$`),
    after: new RegExp(`^${expand(after)}`),
    sounds: text.endsWith('@') ? ['@'] : sounds.split(',').filter(Boolean),
  };
}

/** The rules by their first letter, in order. */
export const SPELLING_RULES: ReadonlyMap<string, readonly SpellingRule[]> = Map.groupBy(
  RULES.trim().split(/\s+/).map(parseRule),
  (rule) => rule.letters.slice(0, 1),
);
