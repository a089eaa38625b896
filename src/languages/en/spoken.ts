import { anyOf, type SpokenLanguage, wordsBut } from './shapes.js';

/** `words(min, max)`: so many words, none of which begins an answer or another request. */
const words = wordsBut(
  anyOf('i', 'we', 'my', 'our', 'because', 'he', 'she', 'they', 'his', 'her', 'their', 'then', 'but', 'so') +
    anyOf('', "'m", "'d", "'ve", "'re"),
);

/** Asks for it alone: to repeat, to explain. */
const VERB = anyOf(
  ...[
    'repeat',
    'rephrase',
    'reword',
    'paraphrase',
    'clarify',
    'explain',
    'elaborate',
    'restate',
    'reiterate',
  ],
  ...['specify', 'define', 'simplify', 'shorten', 'translate'],
);
/** The same, after `mind`. */
const VERBING =
  '(?:repeating|rephrasing|rewording|paraphrasing|clarifying|explaining|elaborating|restating|saying|asking|reading|speaking|defining)';
/** How it is to be said, or what is missing. */
const AGAIN = anyOf(
  'again',
  '(?:once|one|1)(?: more)?(?: time| again| more)',
  '(?:another|a second) time',
  'more (?:slowly|clearly|simply|precisely|loudly|specific|context|details?|information)',
  ...[
    'slower',
    'louder',
    'slowly',
    'clearly',
    'differently',
    'another way',
    'an example',
    'a hint',
    'context',
  ],
  'in (?:other|different|simpler|easier|plain|simple|english|german)',
  '(?:the|your|that|this|me the|last|first)(?: (?:last|first|second|previous))? question',
  ...['what', 'which'],
);
/** What can be heard or understood of a question; nothing of a candidate's work. */
const SAID =
  "(?: (?:that|it|this|you|u|anything|everything|all|what|the|your|last|first|second|third|previous|whole|entire|end|beginning|part|of|word|words|a|single|thing|question|questions|sentence|meaning|asked|said|say|saying|mean|meant|asking|want|wanted|me|are|is|was|were|to|know|you're|you've|have|just|well|properly|clearly|correctly|right|acoustically|very|quite|fully|completely|at|there|because|audio|sound|connection|broke|bad|noise|anymore|now|again|about|by|with|[\\p{N}]+(?:st|nd|rd|th)?))*";
/** A word of the question that is unknown. */
const TERM = '(?: (?:the|that|this|your))? (?:term|word|expression|acronym|abbreviation|phrase|concept)';
/** That it did not work: to hear, to understand. */
const NOT =
  "(?:did not|didn't|didnt|do not|don't|dont|could not|couldn't|couldnt|can not|cannot|can't|cant|have not|haven't|was not able to|wasn't able to|am not able to|'m not able to|never|barely|hardly|only half|only partly)";
/** Begins a request to the interviewer: could you please. */
const FRAME =
  "(?:(?:could|can|would|will|may|might|cud) (?:you|u|ya|we)|(?:if|whether) you (?:could|can|would)|(?:i |i'd |i would )?(?:like|want|need) you to|any chance you (?:could|can)|you)(?: (?:please|maybe|perhaps|kindly|possibly|just|quickly|briefly|be so kind as to|be able to|be so kind and|try to))*";

/** English as candidates speak it. */
export const spoken: SpokenLanguage = {
  requests: [
    `${FRAME} ${VERB}${words(0, 12)}`,
    `${FRAME} (?:say|ask|put|phrase|word|read|speak|talk|tell|state|give|go|write|type|spell|formulate|describe)${words(0, 8)}? ${AGAIN}${words(0, 6)}`,
    `${FRAME} (?:speak up|go back|come again|be more (?:specific|precise|concrete|explicit|clear))${words(0, 4)}`,
    `(?:(?:would|do) you )?mind${words(0, 2)}? ${VERBING}${words(0, 10)}`,
    `(?:is|was|would) it (?:be )?(?:possible|ok|okay|fine|alright|all right)(?: for you)? (?:to|if you|if you could) (?:${VERB}|hear|say|ask|get|have)${words(0, 10)}`,
    `(?:could|can|may|might) (?:i|we)(?: please| maybe| just)* (?:hear|have|get|see|ask for)${words(0, 6)}? (?:questions?|again|once more|one more time|repeated|explained|clarification|example|hint|context|repetition|explanation)${words(0, 4)}`,
    `(?:could|can|may|might) (?:i|we)(?: just)? ask (?:what|which|how|you to)${words(0, 10)}`,
    `(?:please )?${VERB}(?: (?:please|again|it|that|this|me|to|for|once|more|one|time))*(?= (?:i|sorry|thanks|thank|could|can|what)(?: |$)|$)`,
    `(?:please )?${VERB}(?: (?:the|your|that|this|last|first|second|third|previous|whole|entire|[\\p{N}]+(?:st|nd|rd|th)?))* (?:questions?|part|sentence|bit|word|term)(?: (?:again|please|once|more|one|time|for|to|me|slowly|slower|in|other|simpler|words))*`,
    `please ${VERB}${words(1, 8)}`,
    `(?:please )?(?:say|ask|read|put|speak)(?: (?:that|it|this|the question|me the question|please|a bit|a little))* (?:again|once more|one more time|louder|slower|more slowly|more clearly|differently|another way)`,
    `(?:please )?give me (?:an example|a hint|more context|some context|more details|the question)${words(0, 6)}`,
    'come again',
    `(?:what|how|wdym)(?: exactly| precisely)?(?: (?:do|did|does|would|are|is|were|was|it|that))* (?:you|u|it|that|this|the question|your question)${words(0, 4)}? (?:mean|meaning|meant|want|wants|ask|asking|asked|refer|referring|say|said|saying|expect|expecting|looking for|like to (?:know|hear)|getting at)${words(0, 10)}`,
    `what(?: exactly)? (?:does|do|did)${words(1, 6)}? (?:mean|stand for|refer to)${words(0, 5)}`,
    `what(?:'s| is| are) meant (?:by|with)${words(1, 6)}`,
    `what(?:'s| is| are| was| were)(?!.* (?:is|are|was|were|helps?|matters?|makes?) )${words(1, 5)}$`,
    `what (?:exactly|precisely|question|part|again|kind of|type of|sort of)${words(0, 5)}$`,
    'what (?:exactly )?(?:should|shall|do) i(?: have to)? (?:describe|say|talk about|tell you|explain|answer)(?: (?:exactly|here|now|to that))*$',
    `wdym${words(0, 6)}`,
    `i(?:'m| am)?(?: (?:really|still|just|simply|honestly|unfortunately|actually|think|afraid|think i))* ${NOT}(?: (?:really|quite|fully|completely|properly|clearly|entirely|even|hundred percent))* (?:understand|understood|hear|heard|catch|caught|get|got|follow|followed|grasp|make out|remember)(?:${TERM}${words(0, 4)}|${SAID})`,
    `${NOT} (?:quite |really |fully )?(?:understand|hear|catch|get|follow)${SAID}`,
    'not understood',
    `i(?:'ve| have)? (?:only|just) (?:heard|caught|got|understood) (?:half|part|parts|bits|some|the)${SAID}`,
    `(?:i )?(?:really )?(?:do not|don't|dont|didn't) (?:really )?know(?:${TERM}${words(0, 4)}$| what${words(1, 6)}? (?:means?|is|are|stands? for|refers? to)$)`,
    `(?:i )?(?:have |i've )?(?:no idea|no clue) what${words(1, 6)}? (?:means?|is|are|stands? for|refers? to|want|asking)$`,
    `(?:i am |i'm |im )?not (?:really )?(?:familiar with|aware of)${TERM}${words(0, 4)}$`,
    `(?:i am |i'm |im )?not (?:quite |really |entirely |completely |so |too |fully |exactly )?(?:sure|clear|certain)(?: (?:that|if|whether|about|on))*(?: i (?:really |fully |quite |correctly )?(?:understand|understood|follow|followed|got|get|heard)| what (?:you|you're|you've|that|this|the question|it)| the question| your question)${SAID}`,
    `(?:the question|that|it|this|your question)(?:'s| is| was| isn't| wasn't)(?: (?:not|very|really|quite|so|too|a|bit|little|still|entirely))* (?:unclear|clear|confusing|ambiguous|(?:hard|difficult) to (?:understand|hear|follow))(?: (?:to|for) me)?`,
    `you(?:'re| are| were| got| have been| have| just| are too| were too)*(?: (?:just|very|too|a bit|really|so))* (?:breaking up|breaking|cutting out|cut off|cut out|cutting off|broke up|broke off|muted|on mute|quiet|lagging|frozen|froze|inaudible|unclear|dropped out|dropped|fast|too fast)(?: (?:again|for|a|moment|second|there|here|just|now|at|the|end|me|in|middle))*`,
    `(?:the|your|my) (?:audio|sound|voice|line|connection|internet|mic|microphone|speakers?|headset|headphones?|earphones?|earbuds?|wifi)(?: (?:just|really|is|was|were|has|had|got|went|keeps|kept|too|very|so|bad|poor|quiet|low|gone|cut|cutting|breaking|broke|broken|dropped|lagging|lagged|froze|frozen|unclear|choppy|out|off|up|down|away|died|dead|again|for|a|moment|second|there|here|in|the|middle|not|working|good|terrible|distorted))+`,
    `(?:there was|there is|there's|i had|we had|i have)(?: (?:a|an|some|too|much|lot|of|bad|short|loud|background))* (?:noise|interruption|glitch|dropout|connection problem|audio problem|lag|echo)(?: (?:here|there|on|the|line|in|background|just|now|my|your|side|end))*(?= |$)`,
    `i(?:'ve| have)? (?:just |kind of )?(?:missed|lost|forgot|forgotten) (?:that|it|this|what|the|your|some|part|half)${SAID}`,
    `i(?:'m| am| was| got)(?: (?:a|bit|little|just|totally|completely|slightly))* (?:confused|lost|distracted|disconnected|muted|on mute)(?: (?:by|with|about|for|a|moment|the|your|that|this|question|here|there|sorry))*`,
    `i (?:wasn't|was not) (?:listening|paying attention)|i (?:just |briefly )*(?:zoned out|spaced out|lost you)(?: (?:for|a|moment|second|bit|there|just|now))*`,
    `i(?:'m| am| have| had)?(?: (?:having|have|had))?(?: (?:some|a lot of|a bit of))? (?:trouble|difficulty|difficulties|problems?|a hard time) (?:hearing|understanding|following|catching)${SAID}`,
    `i(?:'d| would)? (?:like|love|want|need) to (?:hear|have|get) (?:it|that|this|the question|your question|the (?:last|first|second) question)${SAID}`,
    `i(?:'d| would)? (?:need|like|want) (?:some |more |a |the )?(?:clarification|explanation|context|repetition|question again)${words(0, 6)}`,
    `(?:(?:the|your|that|this|last|first|second|previous) )*question(?: (?:again|please|once|more|one|time))*(?: again| once more| one more time| please)`,
    `(?:one more time|once more|once again|again|another time|say again|say what|louder|slower|more slowly|speak up|repeat|clarification|a bit (?:louder|slower))`,
    'in (?:english|german)',
    `(?:can|could|do|did) you(?: still)? (?:hear|see|understand) me`,
    `are you (?:still )?(?:there|asking|talking|referring|looking)${words(0, 10)}`,
    `(?:do|did) you mean${words(0, 12)}`,
    `you mean${words(1, 8)}$`,
    `(?:is|was) (?:that|this|it|the question|your question)(?: question)? (?:about|regarding|related to|meant|referring to|supposed to|specific to)${words(0, 8)}`,
    `(?:in|for|by|with|about|regarding) (?:which|what)${words(0, 6)}$`,
    `which (?:one|project|question|part|kind|type|term|word)${words(0, 6)}$`,
    'pardon me|i beg your pardon|beg your pardon|beg pardon|pardon|say that again',
    `what (?:did|have) you (?:just )?(?:say|said|ask|asked)${words(0, 4)}`,
    `so (?:that )?i (?:can |could |may )?(?:better |properly )?(?:understand|answer|follow)${SAID}`,
  ],
  exclamations: [
    'excuse me',
    "(?:(?:i am|i'm|im) )?(?:so |very |really )?sorry",
    'what',
    'huh',
    'eh',
    'hm what',
  ],
  politeness: [
    'um+|uh+|hm+|er+|ah+|oh|okay|ok|well|so|hello|hi|hey|yes|yeah|wait|hold on|actually|just|alright|all right|right',
    '(?:one|just a|a) (?:moment|second|sec|minute)',
    'please|kindly',
    'thanks(?: a lot| very much| so much| in advance)?|thank you(?: very much| so much| in advance)?',
    "i am afraid|i'm afraid|unfortunately|(?:my )?apologies|i apologi[sz]e",
    "but|and|for me|to me|in other words|slowly|a bit|if possible|if you (?:can|could|would|do not mind|don't mind)|if that's (?:ok|okay|possible|alright)",
    'that would be (?:great|nice|kind|helpful)|it would help|i have (?:a|one) question|quick question',
    "my (?:english|german|hearing) (?:is|isn't|is not)[\\p{L} ]{0,30}?(?:good|best|perfect|bad|great)",
    "i(?:'m| am) not a native speaker",
    "(?:mr|mrs|ms|miss|dr|sir|madam|ma'am)(?: (?!could|can|would|i )\\p{L}+)?",
    '(?:hi|hello|hey|good (?:morning|afternoon|evening|day))(?: (?!(?:could|can|would|will|i|we|you|what|how|please|sorry|the|it|this|that|ich|wir|sie|das|die|der|k(?:o|oe)nn\\p{L}*|kann\\p{L}*|w(?:u|ue)rd\\p{L}*|was|wie|bitte|es|hier)(?: |$))\\p{L}+){0,2}',
  ],
  doubts: [
    "(?:i )?(?:do not|don't|dont) know",
    "(?:i am |i'm |im )?not (?:quite |really )?sure",
    'no',
    'no idea',
  ],
  concrete: [
    // Numbers, as they are spoken.
    /\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|sixty|hundreds?|thousands?|millions?|dozens?|twice|percent)\b/i,
    // Reasons, purposes and examples.
    /\b(?:because|for example|for instance|such as|so that|in order to|which meant|that is why|that's why|therefore|the reason)\b/i,
    // What came after what.
    /\b(?:and|but) then\b|\bthen (?:i|we)\b|\bfirst(?:ly)?\b.{1,300}?\b(?:then|after|second(?:ly)?|next|finally)\b|\b(?:after|before|until|once) (?:i|we|that|the)\b/is,
    // What the candidate or others did.
    /\b(?:i|we|he|she|they|it|who)(?: \p{L}+)? (?!(?:need|feed|indeed|speed)\b)(?:\p{L}{2,}ed|built|wrote|made|found|ran|took|gave|led|chose|broke|went|began|kept|held|sent|put|set|cut|drew|saw|taught|brought|thought|got|had to|was able)\b/iu,
  ],
  common:
    /(?<![\p{L}'])(?:the|and|to|of|is|was|were|that|it|with|for|this|have|had|not|you|they|we|i|my|our|on|are|but|so|when|then|because|what|how)(?![\p{L}'])/giu,
  capitalsAreNames: true,
  longWord: Infinity,
};
