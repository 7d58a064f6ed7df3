/** Words that support answers of any service use, whatever they are about. */
import { stem } from './words.ts'

const GENERIC_WORDS = `
ability absolutely access accessible accidental accomplish accordance according accordingly accurate achieve addition
additional adjust admin administrator advance advice advisable advise afraid afterward agree aim allowance alternative
amount anticipate anytime anywhere apologies apologise apologize appear applicable approach appropriate approximately
arise arrange aspect assist assistance assume assure attach attention automatic automatically avoid aware basic
basically basis behave behavior behaviour believe bigger block break bring button calm capability care careful carry
caution chance choice choose chosen circumstance clarify colleague combine comment compare concern conclude condition
confirm confuse connect consequence consequently consider consist consistent console constantly consult consume
contact context continue control convenient convert copy correspond counter couple critical crucial daily dangerous
deal decision decrease dedicated deeper definite delay describe description desire destination determine develop
developer device directory disable discard discover display distinguish documentation doubt drop duration easier edit
effective efficient effort elaborate element emphasise employ encounter enforce ensure enter entire equal essential establish
evaluate event eventually examine exceeded excellent exchange exclude execute exist experience explanation expose
express extend extension extent extra extract facilitate factor fair familiar feature feedback fill final fix flag
focus force forget former forth fortunately frequent fresh friendly function functionality generate grant greater
guidance guide guideline highlight hit identical identify ignore impact implement imply impossible improve inability
inadvertently incoming inconvenience increase indicate individual inform information initial inner input inquiry
inspect instance instant instruct intend interact interrupt introduce investigate involve irreversible issue item
label lack launch legacy length limitation local locate lose luckily maintain majority malicious manage manner manual
match measure mechanism meet merely mib message metadata minimum minor misuse move multiple necessity nevertheless
nonetheless notable notably notice notification notify observe obtain occasion occasionally occur offending offline
omit ongoing online option optional original outcome outside overall overwrite pair partial patience pause perform
permission permit persist piece place plus position possibility potential practice precise prefer preferably prepare
presence present press prevent previous primarily primary prior priority probably procedure proceed produce prompt
proper proportion provider pull push quantity raise range rapid react ready realise realize reasonable receive recent
recognise recognize recommend recommendation reconsider record recover reduce refresh reject relevant reliable
relies reload remember remind rephrase replacement reply represent reproduce require rescan reserve resource respect respective
respond response responsible restrict resume retain retrieve return reveal review revocation risk role round routine
safeguard safer satisfy scenario schedule scope screen search section select sensitive sequence serve setup severe signal
significant silently simpler situation skip slight smaller smooth software solution solve source specify speed spread stage
statement static stay step stop straight straightforward string strongly subject subsequent succeed success successful sudden
suffice sufficient suit suitable summarise summary supply suppose suspect tailor team technical technique temporarily
temporary term thorough threshold throughout tip total track traffic treat trigger trouble troubleshoot typical
ultimately unable unaffected unclear undergo undo unexpected unfortunate unit unlikely unlock unnecessary
unprotected unsuccessful untrusted unusable unusual validate validity value variety verification verify view visible
visit warn web whereas whichever whitespace wide willing wonder worries worth zero
`

const GENERIC = new Set(
  GENERIC_WORDS.trim()
    .split(/\s+/)
    .flatMap((word) => [word, stem(word)]),
)

export const isGenericWord = (text: string, stem: string): boolean => GENERIC.has(text) || GENERIC.has(stem)
