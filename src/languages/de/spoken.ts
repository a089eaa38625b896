import { anyOf, type SpokenLanguage, wordsBut } from '../en/shapes.js';

/** `words(min, max)`: so many words, none of which begins an answer or another request. */
const words = wordsBut(
  anyOf(
    'ich|wir|weil|denn|deshalb|danach|dann|mein(?:e|em|er|es)?|unser\\p{L}*|danke|sorry',
    'entschuldigung|und dann',
  ),
);

/** Before politeness or the end of the part. */
const END = '(?= (?:danke|bitte|sorry|entschuldigung|vielen)|$)';

/** Asks for it alone: to repeat, to explain. */
const VERB = anyOf(
  ...[
    'wiederholen',
    'wiederhoeln',
    'wiederholn',
    'erkl(?:a|ae)ren',
    'erl(?:a|ae)utern',
    'umformulieren',
    'reformulieren',
  ],
  ...['pr(?:a|ae)zisieren', 'konkretisieren', 'verdeutlichen', 'umschreiben', 'definieren', 'spezifizieren'],
  ...['(?:u|ue)bersetzen', 'klarstellen', 'ausf(?:u|ue)hren', 'vorlesen', 'beantworten was'],
);
/** Asks only together with `AGAIN`: say it again. */
const BOUND =
  '(?:sagen|fragen|stellen|lesen|werden|formulieren|ausdr(?:u|ue)cken|sprechen|reden|geben|nennen|beschreiben|schreiben|buchstabieren|eingehen|zeigen|h(?:o|oe)ren|haben|bekommen|wissen|machen|abspielen|sagn)';
/** How it is to be said, or what is missing. */
const AGAIN = anyOf(
  '(?:noch ?mals?|noch ?ma|noch ein(?:mal| mal)|einmal|erneut|ein weiteres mal|ein zweites mal|wieder)',
  '(?:anders|langsamer|lauter|deutlicher|genauer|n(?:a|ae)her|einfacher|verst(?:a|ae)ndlicher|klarer|langsam|konkreter)',
  '(?:auf )?(?:deutsch|englisch)|(?:mit|in) (?:anderen|einfacheren|einfachen|eigenen) worten',
  '(?:ein|zum) beispiel|einen (?:tipp|hinweis)|mehr (?:kontext|details|informationen)',
  '(?:die|ihre|deine|diese)(?: (?:letzte|erste|zweite|ganze))? frage|was|frage',
);
const YOU = '(?:sie|du|ihr|man|wir|ich|mir|u)';
/** Begins a request to the interviewer: could you. */
const FRAME = `(?:k(?:o|oe)nn(?:en|ten|test|tet|te|t|tn)|kann|kannst|w(?:u|ue)rd(?:en|est|et)|m(?:o|oe)chten|w(?:u|ue)rdn|wollen|wollten|magst|d(?:u|ue)rfte|darf) ${YOU}`;
/** What a candidate says of a question or of how it was heard; nothing of their work. */
const SAID = anyOf(
  'ich|habe?|habs|hatte|konnte|kann|das|die|der|den|dem|es|sie|ihnen|ihre[nr]?|deinen?|dich',
  'dir|frage|fragen|letzten?|ersten?|zweiten?|ganzen?|ganz|gesamten?|teil|satz|wort|worte',
  'w(?:o|oe)rter|ende|anfang|vom|von|leider|gerade|grade|eben|jetzt|gar|noch|auch|richtig',
  'wirklich|so|recht|gut|akustisch|inhaltlich|sprachlich|genau|vollst(?:a|ae)ndig|komplett',
  'nur|halb|teilweise|nicht|nichts|nix|net|kaum|schlecht|schwer|verstanden|verstehe?',
  'verstehen|verstand|geh(?:o|oe)rt|h(?:o|oe)ren?|mitbekommen|mitgekriegt|mitgekommen',
  'folgen|gefolgt|begriffen|kapiert|kapiere?|angekommen|ist|bin|war|bei|mir|mich|was|gesagt',
  'gefragt|haben|hast|meinen|meinst|gemeint|wollen|willst|wissen|m(?:o|oe)chten|weil|da',
  'wegen|des|tons?|verbindung|schlechten|ob|dass|damit|zu|leise|schnell|undeutlich|laut',
  'h(?:a|ae)lfte|etwas|ein|eine|einen|paar|also|irgendwie|einfach|zugeh(?:o|oe)rt|aufgepasst|diese[rs]?',
  'worum|geht|hier|alles|sinn|verstanden|ja|mal|kurz|abgelenkt|vergessen|unklar|[\\p{N}]+',
);
/** A sentence of such words alone. */
const BAG = `${SAID}(?: ${SAID})*`;
/** Looks ahead: one of the patterns comes in the rest of the part. */
const has = (...patterns: readonly string[]): string => `(?=(?:.* )?${anyOf(...patterns)}(?: |$))`;
/** That it did not work, in `BAG`. */
const NOT = [
  'nicht',
  'nichts',
  'nix',
  'net',
  'kaum',
  'schlecht',
  'schwer',
  'halb',
  'h(?:a|ae)lfte',
  'teilweise',
  'vergessen',
  'abgelenkt',
  'unklar',
];
/** What did not work, in `BAG`. */
const HEARD = [
  ...[
    'verstanden',
    'verstehe?',
    'verstehen',
    'verstand',
    'geh(?:o|oe)rt',
    'h(?:o|oe)ren?',
    'mitbekommen',
    'mitgekriegt',
  ],
  ...[
    'mitgekommen',
    'folgen',
    'gefolgt',
    'begriffen',
    'kapiert',
    'kapiere?',
    'angekommen',
    'zugeh(?:o|oe)rt',
    'aufgepasst',
  ],
  ...['frage', 'abgelenkt'],
];
/** What a candidate says of the connection and the sound. */
const LINE = anyOf(
  'der|die|das|meine?|ton|kopfh(?:o|oe)rer|headset|verbindung|leitung|audio|mikrofon|mikro|internet|netz|stimme|ihre?|ihnen',
  'sie|war|waren|ist|sind|hat|hatte|wurde|kurz|weg|schlechte?|gest(?:o|oe)rt|abgebrochen',
  'unterbrochen|abgehackt|gehackt|undeutlich|leise|zu|sehr|gerade|grade|eben|eine?',
  'st(?:o|oe)rung|gab|es|da|rauschen|rauscht|nur|haben|leider|kaum|h(?:o|oe)ren|verstehen',
  'schwer|und|aus|leer|stumm|aussetzer|hing|h(?:a|ae)ngt|ruckelt|bricht|brach|ab|bei|mir|hier|nicht|gut|so',
  'etwas|ausgefallen|verzerrt|schlecht',
);

/** German as candidates speak it. */
export const spoken: SpokenLanguage = {
  requests: [
    `${FRAME}${words(0, 10)}? ${anyOf(VERB, 'vereinfachen', '(?:ver)?k(?:u|ue)rzen', 'eintippen')}${words(0, 8)}`,
    `${FRAME}${words(0, 8)}? ${AGAIN}${words(0, 6)}? ${BOUND}${words(0, 6)}`,
    `${FRAME} ${BOUND} ${AGAIN}${words(0, 6)}`,
    // Bitte die Frage noch einmal wiederholen; wiederholen Sie das bitte; wiederhol mal.
    `(?:(?:bitte|die|diese|ihre|deine|das|den|es|sie|letzten?|ersten?|zweiten?|ganzen?|frage|satz|teil|noch|ein|einmal|nochmals?|mal|kurz|nur|alles|mir|uns|[\\p{N}]+) )*(?:${VERB}|wiederhole?|erkl(?:a|ae)re?|formuliere?|formulieren|definiere?|pr(?:a|ae)zisiere?|erl(?:a|ae)utere?)(?: (?:sie|du|bitte|mal|doch|das|die|den|es|frage|ihre|deine|letzten?|ersten?|zweiten?|ganzen?|satz|noch|ein|einmal|nochmals?|mir|uns|kurz|genauer|anders|um|teil|langsamer|lauter|[\\p{N}]+))*(?= (?:ich|entschuldigung|danke|sorry|was)(?: |$)|$)`,
    `(?:sagen sie|sage?|fragen sie|frage?|stellen sie|stelle?|lesen sie|lies|sprechen sie|sprich|reden sie|rede|geben sie|gib|dr(?:u|ue)cken sie)${words(0, 6)}? ${AGAIN}${words(0, 6)}`,
    `(?:(?:die|diese|ihre|das|es|mir|bitte|noch|einmal|frage|nochmal|letzte|erste|zweite|[\\p{N}]+) )*zu ${anyOf(VERB, 'h(?:o|oe)ren', 'wiederholen')}${words(0, 4)}`,
    `(?:dass|ob|wenn) (?:sie|du|man)${words(0, 8)}? (?:${VERB}|wiederholt|erkl(?:a|ae)rt|${AGAIN}${words(0, 4)}? ${BOUND})${words(0, 3)}`,
    `wie bitte|wie mein(?:en sie|st du|t ihr|en)(?: das)?(?: genau| jetzt)?|wie (?:war|lautet|lautete|hiess|ging|heisst)${words(0, 8)}${END}|wie war`,
    `was(?: genau| konkret| eigentlich| denn)* (?:mein(?:en|st|t)|heisst|heissen|heist|bedeutet|bedeuten|bedeute|ist|sind|war|waren|wollen|willst|m(?:o|oe)chten|m(?:o|oe)chtest|soll|verstehen|verstehst|steht|bezeichnet)(?: denn)?${words(0, 9)}${END}`,
    `was mein(?:en sie|st du|t ihr)${words(0, 8)}`,
    `was (?:genau|konkret|nochmal|noch mal)${words(0, 4)}${END}`,
    `was (?:haben sie|hast du|sagten sie|fragten sie)${words(0, 4)}? ?(?:gesagt|gefragt|gemeint|gerade)?${END}`,
    `was (?:sie|du|ihr)${words(0, 7)}? (?:meinen|meinst|meint|wollen|willst|m(?:o|oe)chten|m(?:o|oe)chtest|verstehen|verstehst|fragen|fragst|gefragt haben|gesagt haben)${words(0, 3)}`,
    `(?:ich )?(?:weiss|weis|wei|wusste)(?: leider| jetzt| gerade| auch| gar| nicht| genau| so)* was${words(1, 6)}? (?:bedeutet|bedeuten|heisst|ist|sind|meint|meinen|sein soll)${END}`,
    `was${words(1, 6)}? (?:bedeutet|bedeuten|heisst|gemeint ist|ist|sind|bezeichnet)${END}`,
    `${has(...NOT)}${has(...HEARD)}(?:${BAG})`,
    `ob ${BAG}`,
    `(?:das|den|diesen|der|dieser)(?: \\p{L}+)? (?:begriff|wort|ausdruck|abk(?:u|ue)rzung)${words(0, 4)}? (?:kenne ich nicht|sagt mir nichts|verstehe ich nicht|ist mir nicht bekannt)`,
    `ich (?:kenne|verstehe) (?:leider )?(?:den|das|diesen|dieses|die|diese) (?:begriff|wort|ausdruck|abk(?:u|ue)rzung)${words(0, 4)}? nicht`,
    `(?:sagt|sagte) mir(?: leider| jetzt)* nichts${END}`,
    `(?:(?:die|ihre|deine|das|diese|letzte|erste|zweite|[\\p{N}]+) )*frage(?: (?:bitte|noch|ein|einmal|nochmals?|mal|kurz|erneut|wiederholen))+`,
    `(?:die frage|das|es|diese frage|ihre frage) (?:ist|war)(?: (?:mir|leider|noch|etwas|nicht|ganz|so|zu|sehr|f(?:u|ue)r|mich))* (?:unklar|klar|unverst(?:a|ae)ndlich|verwirrend|undeutlich|leise|verst(?:a|ae)ndlich)`,
    `${has('nochmals?', 'noch einmal', 'noch mal', 'h(?:o|oe)ren', 'wiederholt', 'wiederholung', 'erkl(?:a|ae)rung')}ich (?:m(?:o|oe)chte|w(?:u|ue)rde|h(?:a|ae)tte|brauche|br(?:a|ae)uchte|will|muss|m(?:u|ue)sste)(?: (?:gerne?|bitte|die|ihre|das|es|eine|noch|einmal|nochmal|letzte|mal|frage|h(?:o|oe)ren|wiederholt|wiederholung|erkl(?:a|ae)rung|geh(?:o|oe)rt|haben|der|zur|dazu))+`,
    '(?:bitte )?(?:etwas |ein bisschen |bisschen |ein wenig |bitte )*(?:(?:nochmals?|noch ?ein ?mal|noch ?mal|noch ?ma)(?: von (?:vorne?|anfang(?: an)?))?|lauter|langsamer|deutlicher|genauer|erneut|wiederholung|wiederholen)',
    '(?:ich )?bitte (?:sie )?um (?:(?:eine|die|kurze) )*(?:wiederholung|erkl(?:a|ae)rung|erl(?:a|ae)uterung)(?: der frage)?',
    'auf (?:deutsch|englisch)|(?:mit|in) anderen worten|h(?:a|ae)h?',
    `(?:meinen|meinten) sie${words(0, 10)}|mein(?:st|test) du${words(0, 10)}|beziehen sie sich${words(0, 8)}|geht es (?:hier |dabei |ihnen )?um${words(1, 8)}${END}`,
    `inwiefern${words(0, 5)}${END}|in welche[mrn]${words(1, 6)}${END}|in was f(?:u|ue)r${words(1, 5)}${END}|was f(?:u|ue)r${words(1, 5)}${END}|welche[rsnm]?${words(1, 5)}${END}|wie genau${END}`,
    `${has('ton', 'verbindung', 'leitung', 'audio', 'mikrofon', 'mikro', 'kopfh(?:o|oe)rer', 'headset', 'internet', 'netz', 'stimme', 'st(?:o|oe)rung', 'rauschen', 'rauscht', 'aussetzer', 'sie (?:sind|waren)')}${LINE}(?: ${LINE}){1,14}`,
    'ich war(?: (?:gerade|kurz|noch|eben|leider))* stumm(?: ?geschaltet)?',
    'h(?:o|oe)ren sie mich|k(?:o|oe)nnen sie mich (?:h(?:o|oe)ren|verstehen)|h(?:o|oe)rst du mich|(?:sind sie|bist du) noch da',
    `wof(?:u|ue)r steht${words(1, 6)}${END}|worum geht(?: es|s)${words(0, 6)}${END}|worauf (?:beziehen sie sich|beziehst du dich|bezieht sich|wollen sie|m(?:o|oe)chten sie|willst du)${words(0, 6)}${END}|(?:was|wor(?:u|ue)ber)(?: genau)? soll ich(?: (?:denn|genau|jetzt|hier|da|dazu|ihnen|nun))* (?:beschreiben|sagen|sprechen|reden|erz(?:a|ae)hlen|antworten|erkl(?:a|ae)ren|tun|machen)|bezieht sich (?:die frage|das)(?: [\\p{L}\\p{N}']+){1,8}${END}`,
    `geht (?:das|es)(?: auch| noch| bitte| vielleicht| etwas)* ${AGAIN}|gibt es(?: dazu| daf(?:u|ue)r| hierzu)? ein beispiel${words(0, 4)}`,
    'das (?:war|ging|ist)(?: mir| leider| etwas| viel)* zu (?:schnell|leise|undeutlich)',
    `damit ich${words(0, 8)}? (?:verstehe|verstehen|beantworten|antworten)${words(0, 2)}`,
  ],
  exclamations: [
    'entschuldigung|entschuldige|entschuldigen sie|(?:ent)?schuldigung|tschuldigung|tschuldige|verzeihung|verzeihen sie|sorry|pardon',
    'wie|was',
  ],
  politeness: [
    '(?:a|ae|o|oe)h+m*|hm+|mh+m*|ah+|oh|okay|ok|ja|also|so|na|nun|hallo|hi|hey|moment|einen moment|eine sekunde|halt|stopp?',
    'bitte|danke|dankesch(?:o|oe)n|vielen dank|danke (?:sch(?:o|oe)n|ihnen|dir|im voraus)|besten dank',
    'leider|tut mir (?:sehr |wirklich )?leid|es tut mir (?:sehr |wirklich )?leid|das tut mir leid',
    'aber|und|f(?:u|ue)r mich|mir|mal|kurz|langsam|gerne?|nur',
    'ist es m(?:o|oe)glich|w(?:a|ae)re es m(?:o|oe)glich|es w(?:a|ae)re (?:nett|super|toll|gut|sch(?:o|oe)n|hilfreich|lieb|freundlich|klasse)|das w(?:a|ae)re (?:nett|super|toll|gut|sch(?:o|oe)n|hilfreich|lieb)|wenn m(?:o|oe)glich|falls m(?:o|oe)glich|w(?:a|ae)ren sie so (?:nett|freundlich|lieb)|seien sie so (?:nett|gut)',
    `${FRAME}(?: mir| uns| bitte| kurz| mal| noch)* (?:sagen|verraten|helfen)(?= was|$)`,
    'ich (?:habe|h(?:a|ae)tte) (?:da |noch |mal |kurz )*eine (?:frage|r(?:u|ue)ckfrage|kurze frage)|kurze (?:frage|r(?:u|ue)ckfrage)|eine frage',
    'mein deutsch (?:ist|war)[\\p{L} ]{0,30}?gut|ich spreche nicht so gut deutsch',
    '(?:herr|frau)(?: (?!k(?:o|oe)nn)\\p{L}+)?',
    '(?:hallo|hi|hey|guten (?:tag|morgen|abend))(?: (?!(?:could|can|would|will|i|we|you|what|how|please|sorry|the|it|this|that|ich|wir|sie|das|die|der|k(?:o|oe)nn\\p{L}*|kann\\p{L}*|w(?:u|ue)rd\\p{L}*|was|wie|bitte|es|hier)(?: |$))\\p{L}+){0,2}',
  ],
  doubts: [
    'ich weiss(?: es| das)?(?: leider| jetzt| gerade)* nicht(?: genau| so genau)?|weiss ich(?: leider)? nicht|nein|keine ahnung',
    'ich bin(?: mir)?(?: leider| noch| gerade| jetzt)*(?: nicht(?: ganz| so)? sicher| unsicher)',
  ],
  concrete: [
    /(?<!\p{L})(?:zwei|drei|vier|fünf|fuenf|sechs|sieben|acht|neun|zehn|elf|zwölf|zwoelf|zwanzig|dreißig|dreissig|vierzig|fünfzig|fuenfzig|sechzig|hunderte?|tausende?|millionen?|dutzende?|zweimal|dreimal|prozent)(?!\p{L})/iu,
    /(?<!\p{L})(?:weil|zum beispiel|beispielsweise|etwa als|damit (?:ich|wir|die|der|das|sie|es|man)|sodass|so dass|um [^.?!]{1,80}? zu|deshalb|deswegen|daher|der grund|dadurch|z\. ?b\.)(?!\p{L})/iu,
    /(?<!\p{L})(?:und|aber) dann(?!\p{L})|(?<!\p{L})dann (?:habe|haben|bin|war|wurde|hatte|mache|machen) (?:ich|wir|ist|es)|(?<!\p{L})(?:zuerst|zunächst|zunaechst|erst|erstens)(?!\p{L})[^?!]{1,300}?(?<!\p{L})(?:dann|danach|anschließend|anschliessend|später|zweitens|zuletzt|schließlich)(?!\p{L})|(?<!\p{L})(?:nachdem|bevor|sobald|bis) (?:ich|wir|das|die|der|es)(?!\p{L})/isu,
    // Perfect: habe … geschrieben, wurde … behoben.
    /(?<!\p{L})(?:habe?|haben|hatten?|hat|wurden?|bin|sind|ist|war|waren)(?!\p{L})[^.?!]{0,120}?(?<!\p{L})(?!(?:gegen|gern|gerne|genau|gut|geben|gehen|gesamten?|genauen?|gewissen?|gewesen|gemeinsamen?|gerechten?|geeignet|geeigneten?|gewissenhaft|gelassen|gesagt|geduldig|geordnet|gespannt|gefragt|gewohnt|geehrt|besten|beiden|ersten|erst|bereit|bestimmten?|bekannt|bekannten?|verschiedenen?|verantwortlichen?|erfahren|erfahrenen?|beliebt|begeistert|bereichen|organisiert|interessiert|motiviert|strukturiert|engagiert|konzentriert)(?!\p{L}))(?:\p{L}{0,8}ge\p{L}{3,}(?:t|en)|getan|(?:be|er|ver|zer|ent|emp|miss|über|ueber|unter)\p{L}{3,}(?:t|en)|\p{L}{3,}iert)(?!\p{L})/iu,
    // Past: ich baute, schrieb sie, wir mussten.
    /(?<!\p{L})(?:ich|wir|er|sie|man|es|wer|der|die|das)(?: \p{L}+)? (?!(?:möchte|moechte|sollte|könnte|koennte|müsste|muesste|wollte|hätte|haette|dürfte|duerfte|heute|gute|leute|beste|letzte|erste|bitte|mitte|seite|arbeite|rechte|achte|breite|weite|alte|harte|echte|leichte|schlechte|wichtigste|ganze|nächste)n?(?!\p{L}))(?:\p{L}{2,}(?:te|ten)|schrieb|schrieben|fand|fanden|lief|liefen|nahm|nahmen|gab|gaben|brach|brachen|ging|gingen|begann|hielt|schnitt|sah|kam|kamen|bekam|verlor|wurde|wurden|blieb|half|las|sprach|trat|schloss)(?!\p{L})/iu,
    /(?<!\p{L})(?!(?:möchte|sollte|könnte|müsste|wollte|hätte|dürfte|heute|gute|bitte|arbeite|achte|rechte)(?!\p{L}))(?:\p{L}{3,}te|schrieb|fand|lief|nahm|gab|ging|begann|hielt|sah|bekam) (?:ich|wir)(?!\p{L})/iu,
  ],
  common:
    /(?<![\p{L}'])(?:der|die|das|den|dem|des|und|ich|nicht|ist|war|wir|ein|eine|einen|einem|einer|mit|zu|auf|für|von|habe|haben|hat|hatte|wurde|sie|es|im|in|dass|wenn|auch|sich|aber|weil|dann|man|mich|mir|bei|nach|aus|wie|was)(?![\p{L}'])/giu,
  capitalsAreNames: false,
  longWord: 13,
};
