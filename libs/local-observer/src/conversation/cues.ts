/**
 * Words with which people accept, refuse, decide and ask, in the eight most frequent languages of prompts. Other
 * languages have no such cues. Questions and answers, restatements and acceptance by position are found without words.
 */
type Language = 'en' | 'de' | 'fr' | 'es' | 'pt' | 'ru' | 'zh' | 'ja';
type Words = Readonly<Partial<Record<Language, string>>>;

/** Joins words to alternatives of a regular expression. Chinese and Japanese have no word boundaries. */
const alternatives = (words: Words) => {
  const { zh, ja, ...spaced } = words;
  return {
    spaced: Object.values(spaced).join('|'),
    unspaced: [zh, ja].filter((list) => list !== undefined).join('|'),
  };
};

/** Creates a pattern for texts that contain one of the words. */
function contains(words: Words): RegExp {
  const { spaced, unspaced } = alternatives(words);
  const bounded = `(?<![\\p{L}\\p{N}_])(?:${spaced})(?![\\p{L}\\p{N}_])`;
  return new RegExp(unspaced === '' ? bounded : `${bounded}|${unspaced}`, 'iu');
}

/** Words that are ignored at the beginning of a text. */
const FILLER =
  '(?:(?:ok(?:ay)?|well|hmm+|oh|ah|and|so|also|then|und|alors|bueno|bom|então|ну|итак)[,.\\s—–-]+){0,2}';

/** Creates a pattern for texts that begin with one of the words. */
function begins(words: Words): RegExp {
  const { spaced, unspaced } = alternatives(words);
  const bounded = `${FILLER}(?:${spaced})(?![\\p{L}\\p{N}_])`;
  return new RegExp(`^[\\s"'*(¡¿—–-]*(?:${unspaced === '' ? bounded : `${bounded}|${unspaced}`})`, 'iu');
}

/** Creates a pattern for texts whose first clause is one of the words. "Never mind the warning" does not match. */
const beginsClause = (words: Words): RegExp =>
  new RegExp(`(?:${begins(words).source})(?=\\s*(?:$|[.,;:!—–。，！、-]))`, 'iu');

/** Matches a reply that accepts. */
export const ACCEPTS = begins({
  en: "yes|yep|yup|yeah|y|right|exactly|correct|agreed|confirmed?|perfect|great|good|fine|sure|ok|okay|sounds (?:good|right|fair)|looks (?:good|right)|go (?:ahead|with|for)|that works|that's (?:it|right|correct|fine|good|the rule|what)|makes sense|do (?:it|that)|ship it|leave it|lgtm|precisely|absolutely(?! not)",
  de: 'ja|genau|richtig|stimmt|passt|einverstanden|korrekt|klingt gut|in ordnung|mach das|perfekt',
  fr: "oui|exactement|d'accord|c'est (?:ça|bon|correct)|parfait|tout à fait|vas-y|entendu",
  es: 'sí|exacto|correcto|de acuerdo|vale|perfecto|adelante|así es',
  pt: 'sim|exato|exatamente|certo|correto|de acordo|perfeito|isso mesmo|pode ser',
  ru: 'да|верно|точно|правильно|согласен|согласна|хорошо|именно|отлично|давай так',
  zh: '对|是的|好的|好，|没错|可以|同意|就这样|正确|确认|行，|嗯',
  ja: 'はい|そうです|その通り|了解|それで|正しい|問題ありません|ええ',
});

/** Matches a reply that refuses or corrects. */
export const REFUSES = begins({
  en: "no|nope|not (?:quite|exactly|all|really|entirely)|wrong|that's (?:not|wrong|backwards)|that is (?:not|wrong)|this is (?:not|wrong)|absolutely not|never|neither|hold on|(?:wait|stop|close)(?=[\\s]*(?:[,.!—–-]|$))|don't|do not|almost|nearly|careful|actually,? (?:no|let's|make)|on second thought|my mistake|(?:sorry,? )?i (?:misread|was wrong)|but|too (?:strict|loose|many|few|much|broad|narrow|early|late)",
  de: 'nein|nicht|falsch|stopp|halt|auf keinen fall|fast(?=[,.!])|beinahe|aber|vorsicht',
  fr: 'non|pas|faux|surtout pas|stop|presque|mais|attention',
  es: 'no|incorrecto|de ninguna manera|tampoco|casi|pero|cuidado|espera',
  pt: 'não|errado|de jeito nenhum|quase|mas|cuidado|espera',
  ru: 'нет|не|неверно|неправильно|стоп|ни в коем случае|почти|но|подожди',
  zh: '不|不是|不对|不要|错|别|等等|但',
  ja: 'いいえ|いや|違|ダメ|だめ|やめ|でも|ただ',
});

/** Matches a withdrawal of the user's previous message. */
export const RETRACTS = beginsClause({
  en: '(?:(?:actually|wait|no|sorry),? ){0,2}(?:scratch that|(?:forget|ignore|disregard) (?:what i (?:just )?(?:said|wrote)|my last (?:message|answer))|i take (?:that|it) back)',
  de: 'streich das|vergiss,? was ich (?:gesagt|geschrieben) habe|ich nehme das zurück',
  fr: "oublie(?:z)? ce que j'ai dit|je retire ce que j'ai dit",
  es: 'olvida lo que dije|retiro lo dicho',
  pt: 'esque(?:ce|ça) o que eu disse|retiro o que disse',
  ru: 'забудь,? что я сказал\\p{L}*|беру свои слова назад',
  zh: '当我没说',
  ja: '今のなし|今のは取り消し',
});

/**
 * Matches a reply that drops the question of the agent, or the user's previous message when the agent asked nothing.
 * "Egal, ob …" means "no matter whether …" and does not match.
 */
export const DROPS = beginsClause({
  en: '(?:(?:actually|wait|no|sorry),? ){0,2}(?:never ?mind|(?:forget|ignore|disregard|drop) (?:that|this|it))',
  de: 'vergiss (?:es|das)|egal(?!,? (?:ob|wer|was|wie|wo|wann|welche))',
  fr: 'oublie(?:z)? (?:ça|cela)|laisse(?:z)? tomber',
  es: 'olv[ií]d(?:alo|a eso)|no importa',
  pt: 'esque(?:ce|ça)(?: isso)?|deixa pra lá',
  ru: 'забудь(?: (?:это|об этом))?|неважно(?!,? (?:кто|что|как|где|когда|сколько))',
  zh: '算了|忘了(?:吧|它)',
  ja: '忘れて(?:ください)?',
});

/** Words that name an earlier rule and replace it. */
const REPLACING: Words = {
  en: "amend(?:s|ed|ing|ments?)?|supersed(?:e|es|ed|ing)|updates? to (?:the|our)|chang(?:e|es|ed|ing) (?:the|our|this|that) (?:[\\w-]+ ){0,3}(?:rules?|polic(?:y|ies)|limits?|conventions?|decisions?)|changed? (?:our|my) minds?|(?:revis(?:e|es|ed|ing)|overrid(?:e|es|ing)|overrul(?:e|es|ed|ing)) (?:the|that|our)|replac(?:e|es|ed|ing) (?:the|that|our) (?:old |earlier |previous )?(?:rule|policy|limit|decision|convention)|no longer (?:holds|applies|true)|last (?:week|month|sprint|quarter|year)'s (?:rule|decision|policy)",
  de: 'ersetzt|änderung (?:an|der)|gilt nicht mehr',
  fr: "remplace|ne s'applique plus",
  es: 'reemplaza|sustituye|enmienda|ya no (?:vale|aplica)',
  pt: 'substitui|não vale mais',
  ru: 'заменяет|поправка|больше не действует',
  zh: '取代|改为|修订|不再适用',
  ja: 'に変更|置き換え|改訂',
};
/** Words that set a rule from now on. They do not show that another rule existed. */
const BEGINNING: Words = {
  en: 'from now on|going forward|new rule|(?:we|you) settled|as of (?:today|now)|after all',
  de: 'ab jetzt|ab sofort|künftig|von (?:nun|jetzt) an|neue regel|doch lieber',
  fr: 'désormais|dorénavant|à partir de maintenant|nouvelle règle',
  es: 'a partir de ahora|de ahora en adelante|en adelante|nueva regla',
  pt: 'a partir de agora|de agora em diante|daqui em diante|nova regra',
  ru: 'отныне|с этого момента|впредь|новое правило',
  zh: '从现在起|从今以后|今后|新规则',
  ja: '今後は|これからは|以降は|新しいルール',
};
export const REPLACES = contains(REPLACING);
/** Matches a text that sets or changes a rule. */
export const AMENDS = new RegExp(`${REPLACES.source}|${contains(BEGINNING).source}`, 'iu');

/** Matches an order for the current task. */
export const REQUESTS = begins({
  en: "can (?:you|we)|could (?:you|we)|would you|will you|please|pls|let's|lets|let us|let me|i (?:want|need|would like) (?:you|to)|i'd like (?:you|to)|we (?:need|want) to|help|try|add|fix|create|make|write|run|check|look|update|change|implement|remove|delete|rename|refactor|move|show|tell|explain|find|investigate|review|test|commit|push|merge|rebase|continue|start|open|read|give|put|get|build|install|generate|describe|summari[sz]e|recap|propose|search|revert|clean|deploy|debug|compare|list|take|pull|split|raise|lower|increase|decrease|bump|set|cut|turn",
  de: 'kannst du|könntest du|bitte|füge|mach|erstelle|schreib|lass uns|prüfe|zeig',
  fr: "peux-tu|pouvez-vous|s'il (?:te|vous) plaît|ajoute|corrige|crée|montre|vérifie",
  es: 'puedes|podrías|por favor|agrega|añade|arregla|crea|haz|muestra|revisa',
  pt: 'pode|poderia|por favor|adicione|corrija|crie|faça|mostre|verifique',
  ru: 'можешь|пожалуйста|давай(?! так)|добавь|исправь|создай|сделай|покажи|проверь',
  zh: '请|帮我|能不能|麻烦',
  ja: '[^。]{0,60}(?:てください|してほしい|お願いします)',
});

const OBLIGATION: Words = {
  en: "must(?:n't)?(?! have)|non-negotiable|mandatory|forbidden|not allowed|under no circumstances",
  de: 'muss|müssen|darf nicht|dürfen nicht|verboten|zwingend',
  fr: 'doit|doivent|interdit|obligatoire',
  es: 'debe|deben|prohibido|obligatorio',
  pt: 'deve|devem|proibido|obrigatório',
  ru: 'должн\\p{L}+|нельзя|обязательно|запрещено',
  zh: '必须|不得|禁止',
  ja: '必ず|てはいけない|てはならない|なければならない|禁止',
};
const INVARIANT: Words = {
  en: 'never|always|at (?:least|most)|no (?:more|less|fewer|further|later|longer) than|nobody|no one|as long as|unless|regardless|no matter|every time|by default|full stop|byte-for-byte|ever|strictly',
  de: 'nie|niemals|niemand|immer|mindestens|höchstens|es sei denn|grundsätzlich',
  fr: 'jamais|personne ne|toujours|au moins|au plus|sauf|à moins que',
  es: 'nunca|nadie|siempre|al menos|como máximo|salvo',
  pt: 'nunca|ninguém|sempre|pelo menos|no máximo|a menos que',
  ru: 'никогда|никто|всегда|не менее|не более',
  zh: '永远|从不|总是|一律|至少|最多|除非',
  ja: '絶対|常に|以外は',
};
/** Matches a requirement or a prohibition. */
export const OBLIGES = contains(OBLIGATION);
/** Matches a rule beyond the current task: an obligation, a prohibition or an invariant. */
export const BINDS = new RegExp(`${OBLIGES.source}|${contains(INVARIANT).source}`, 'iu');

/** Matches the name of a decision, a rule or a convention. */
export const DECIDES = contains({
  en: 'we (?:have |had )?(?:decided|agreed|settled|chose|pinned)|decisions?|polic(?:y|ies)|(?:the|our|this|that|one) (?:\\w+ )?(?:rules?|conventions?|standard|contract|invariant)|going forward|from now on|in (?:the )?future|source of truth|signed off|pinned|by design|deliberate(?:ly)?|on purpose|intentional(?:ly)?',
  de: 'wir haben (?:uns )?(?:entschieden|beschlossen|vereinbart)|entscheidung|regel|vereinbarung|konvention|ab jetzt|künftig|absichtlich',
  fr: 'nous avons (?:décidé|choisi|convenu)|décision|règle|convention|désormais|volontairement',
  es: 'hemos (?:decidido|acordado)|decidimos|acordamos|decisión|la regla|convención|en adelante|a propósito',
  pt: 'decidimos|combinamos|decisão|a regra|convenção|a partir de agora|de propósito',
  ru: 'мы (?:решили|договорились)|решение|правило|соглашение|отныне|впредь|намеренно',
  zh: '决定|规则|约定|惯例|以后|今后|故意',
  ja: '決め|決定|規則|ルール|約束|今後|これから|意図的',
});

/** Matches a preference or a local convention. */
export const PREFERS = contains({
  en: "i(?:'d)? (?:would )?(?:much )?prefer\\w*|i'd rather|i (?:really )?(?:don't )?like (?:to|it|when)|i (?:hate|dislike)|(?:don't|do not|never) [\\p{L} ]{2,40} (?:again|anymore|any more|unless)|stop (?:doing|using|adding|making|creating)|we (?:don't|do not|no longer|always|never|only|usually) \\p{L}+|we (?:use|call|name|keep|ship)|we don't (?:want|need)",
  de: 'ich bevorzuge|lieber|wir (?:verwenden|nutzen|benutzen|nehmen)',
  fr: 'je préfère|nous utilisons|on utilise',
  es: 'prefiero|usamos|no usamos|preferimos',
  pt: 'prefiro|usamos|não usamos|preferimos',
  ru: 'мы используем|предпочита\\p{L}+|лучше',
  zh: '我们用|我们使用|我更喜欢|偏好|更倾向',
  ja: 'を使(?:う|い|って)|が好み|ほうがいい|方がいい',
});

/** Matches the reason of a rule. */
export const EXPLAINS = contains({
  en: "that's why we|that is why we|which is why|(?:doesn't|does not|won't|can't|cannot|didn't) work (?:since|because|as|for)|not an option|the (?:point|goal|idea|reason) (?:is|was)|otherwise",
  de: 'deshalb|sonst|der grund ist',
  fr: "c'est pourquoi|sinon|la raison est",
  es: 'por eso|si no,|la razón es',
  pt: 'por isso|senão|a razão é',
  ru: 'поэтому|иначе|причина в том',
  zh: '所以我们|否则|原因是',
  ja: '理由は|そうしないと|だから',
});

/** Matches a limit or a contrast. This cue counts only together with others. */
export const LIMITS = contains({
  en: "only|exactly|except|make sure|ensure|every|enough|just (?:those|these|the|that)|nothing else|everything else|anything else|both|instead|rather than|should(?:n't)?|(?:has|have) to|needs? to be|keeps?|stays?|wins?|counts? as|means|applies|apply|belongs? (?:in|to)",
  de: 'nur|genau|außer|statt|soll(?:en|te)?|bleibt|gewinnt|zählt|gilt',
  fr: 'seulement|uniquement|exactement|au lieu|devrait|reste|compte',
  es: 's[oó]lo|solamente|exactamente|en lugar de|excepto|debería|queda|cuenta',
  pt: 'só|somente|apenas|exatamente|em vez de|exceto|deveria|fica|conta',
  ru: 'только|ровно|кроме|вместо|следует|оста[её]тся|считается',
  zh: '只能|只有|仅|除了|而不是|应该|保留|视为',
  ja: 'だけ|のみ|ちょうど|ではなく|の代わり|べき|そのまま|とみなす',
});

/** Matches a negation. */
export const NEGATES = contains({
  en: "not?|don't|never|doesn't|isn't|won't|can't|wouldn't|disagree|forget",
  de: 'nicht|kein\\p{L}*|nein|nie',
  fr: 'pas|non|jamais|aucun',
  es: 'no|nunca|ningún',
  pt: 'não|nunca|nenhum',
  ru: 'не|нет|никогда',
  zh: '不|没|别',
  ja: 'ない|ません|困',
});

/** Matches an amount or an exclusion. */
export const CONSTRAINS = new RegExp(
  `\\d|${
    contains({
      en: "not?|don't|nothing|none|all of|everything|same|unchanged|exempt|skip|leave|exception|instead|even|until|before|after",
      de: 'nicht|kein\\p{L}*|alle|alles|gleich|ausnahme|erst|bis',
      fr: 'pas|aucun|rien|tou[st]|même|inchangé|avant|après',
      es: 'no|ni|nada|ning\\p{L}+|tod[oa]s?|mism[oa]|excepción|hasta|antes|después',
      pt: 'não|nem|nada|nenhum|tod[oa]s?|mesm[oa]|exceção|até|antes|depois',
      ru: 'не|ни|ничего|все|вс[её]|исключение|пока|до|после',
      zh: '不|都|全部|一律|例外|之前|之后|才',
      ja: 'ない|ません|すべて|全て|例外|まで|前に|後に',
    }).source
  }`,
  'iu',
);

/** Matches a contrast by punctuation and negation: "X, not Y". */
export const CONTRASTS =
  /(?:,| [-–—]) ?(?:not|never|nicht|pas|no|não|а не|не) (?!sure|yet|that|if|matter)\p{L}|不是.{1,40}而是|ではなく/u;

/** Matches an uncertain or hypothetical statement. */
export const HEDGES = contains({
  en: "maybe|perhaps|apparently|supposedly|i think|i guess|i wonder|wondering|not sure|might|could be|probably|possibly|i (?:believe|assume|suppose)|(?:it )?(?:feels?|seems?) (?:like|to)|what if|let's say|suppose|hypothetical\\w*|curious",
  de: 'vielleicht|vermutlich|anscheinend|angeblich|wahrscheinlich|ich glaube|ich frage mich',
  fr: 'peut-être|apparemment|probablement|je crois|je me demande',
  es: 'quizás|aparentemente|tal vez|probablemente|creo que|me pregunto',
  pt: 'talvez|aparentemente|provavelmente|acho que|me pergunto',
  ru: 'может быть|видимо|якобы|наверное|возможно|я думаю|интересно',
  zh: '也许|好像|据说|可能|大概|我觉得|我想知道',
  ja: 'かもしれ|らしい|たぶん|おそらく|と思う',
});

/** Matches a narration: a symptom, an attempt, an observation or a plan of the person. */
export const NARRATES = contains({
  en: "i (?:just |also |now |was |have |already |still )?(?:tried|ran|noticed|saw|see|got|get|had|did|made|merged|tested|checked|looked|found|remember|recall|created|hit|thought|meant|understand)|i'm (?:seeing|getting|looking|trying|calling|worried|hitting|thinking|working)|i'll|i will|sometimes|throws?|crash\\w*|fails?|intermittent\\w*|good (?:call|point|catch)|the (?:issue|problem|bug) (?:is|seems|was)|it (?:says|said|shows|worked|failed|still)|doesn't work|not working|flaky|heads-up|last night|yesterday|this (?:week|morning)",
  de: 'ich habe|ich sehe|schlägt fehl|stürzt ab|gestern|funktioniert nicht',
  fr: "j'ai|je vois|échoue|plante|hier|ne marche pas",
  es: 'he (?:visto|probado)|veo|falla|ayer|no funciona',
  pt: 'eu (?:vi|testei)|vejo|falha|ontem|não funciona',
  ru: 'я (?:вижу|попробовал|заметил)|падает|вчера|не работает',
  zh: '我(?:看到|试了|发现)|报错|昨天|不工作',
  ja: '試し|見ました|昨日|動かない|エラーが',
});

/** Matches a statement that applies only to the current task. */
export const IS_LOCAL = contains({
  en: 'right now|for now|this (?:branch|pr|commit|test|file|session|time|error|line|comment)|currently|(?:see|as|from|shown|listed) (?:above|below)|next step',
  de: 'jetzt gerade|vorerst|dieser (?:branch|commit|test)',
  fr: 'pour le moment|actuellement|cette fois',
  es: 'por ahora|actualmente|esta vez',
  pt: 'por enquanto|atualmente|desta vez',
  ru: 'пока|сейчас|в этот раз',
  zh: '现在|这次|目前',
  ja: '今のところ|今回|現在',
});

/** Matches the beginning of a restatement of agreed rules. */
export const RECAPS = contains({
  en: 'recap|to (?:recap|summari[sz]e)|in summary|summary|settled|agreed|understood|got it|noted|final(?: shape| rule| form| version)?|amended|amending|so the rule|for the record|as follows|as of now|in short|updated behaviou?r|what is in now|everything is (?:in|on)',
  de: 'zusammengefasst|zusammenfassung|verstanden|alles klar|vereinbart|wie folgt|stand jetzt|kurz gesagt',
  fr: 'en résumé|récapitul\\p{L}*|compris|entendu|convenu|comme suit',
  es: 'en resumen|resumiendo|resumen|entendido|acordado|queda así|como sigue',
  pt: 'em resumo|resumindo|resumo|entendido|combinado|fica assim|como segue',
  ru: 'итого|итак|подытожим|понял|понятно|принято|договорились|таким образом|следующим образом',
  zh: '总结|小结|如下|明白|了解|最终|已确认',
  ja: 'まとめ|以下の通り|承知|了解|わかりました|結論',
});

/** Matches a report that the agent did what the user asked for. A fix does not count, because it follows no rule. */
export const COMPLIES = begins({
  en: "ok(?:ay)?:|(?:the |both )?changes? (?:is|are) (?:in|done|live)|(?:all |both )?(?:done|implemented|kept|built|changed|added|updated|removed|replaced)|(?:it's|it is|that's|everything is|both changes are|they're) (?:done|in|live|on|easy)|both (?:done|in|are)|(?:fine|sure|alright|all right|of course|good point), i(?:'ve| have)|all (?:of (?:it|that|them)|two|three|four) (?:is|are) (?:in|done|implemented|live)|[^.,;:?]{2,40} it is|i(?:'ve| have)? (?:now |just )?(?!fixed|corrected)\\w+ed|(?:[\\w'.-]+ ){1,4}(?:removed|changed|moved|added|renamed|replaced|updated|switched|dropped)|moved|renamed|switched|dropped|set up|rewritten|converted|applied|adjusted|adapted|split|extended|limited|enabled|disabled|configured|deleted|i(?:'ve| have) (?:put|set|made|built|written|taken)|will do|then i have",
  de: 'erledigt|fertig|umgesetzt|geändert|eingebaut|ist (?:drin|umgesetzt|erledigt)|ich habe',
  fr: "c'est fait|fait|terminé|j'ai",
  es: 'hecho|listo|cambiado|implementado|he \\w+do|ya est[áa]',
  pt: 'feito|pronto|alterado|implementado',
  ru: 'готово|сделано|сделал|сделала|изменил|изменила',
  zh: '已|完成|改好',
  ja: '完了|実装しました|変更しました',
});

/**
 * Matches an acknowledgement by the agent. The acknowledged message can be a report or an assumption, so this cue alone
 * proves no rule.
 */
export const ACKNOWLEDGES = begins({
  en: "understood|got it|noted|acknowledged|clear,|i(?:'ll| will) (?:remember|follow|always|never|keep|stick|make sure)",
  de: 'verstanden|notiert|alles klar|ich werde (?:immer|nie)',
  fr: 'compris|noté|entendu|bien reçu',
  es: 'entendido|anotado',
  pt: 'entendido|anotado',
  ru: 'понял|поняла|понятно|принято|записал|учту',
  zh: '好的|明白|了解|收到|记住了',
  ja: '承知|了解|わかりました|かしこまりました',
});

/** Matches an offer or announcement of work by the agent. */
export const PROPOSES = contains({
  en: "i'll|i will|i'd|i can|my (?:plan|idea|proposal)|should i|shall i|want me to|would you like|do you want|we could|let me|easiest|simplest|cleanest|minimal fix",
  de: 'ich werde|ich würde|ich kann|soll ich|möchtest du|wir könnten',
  fr: 'je vais|je peux|je propose|veux-tu|voulez-vous|on pourrait',
  es: 'voy a|puedo|propongo|quieres que|podríamos',
  pt: 'vou|posso|proponho|quer que|poderíamos',
  ru: 'я (?:сделаю|могу|предлагаю)|хотите|хочешь|можно бы',
  zh: '我会|我可以|建议|需要我|要我|我们可以',
  ja: 'します|できます|提案|しましょうか',
});

/** Matches a question of the agent for permission to work. */
export const OFFERS = contains({
  en: 'would you like|do you want me|want me to|should i also|should (?:i|we) (?:proceed|continue|go|move|start|commit|implement)|shall i|let me know|ready to|can i|may i|anything else',
  de: 'soll ich|möchtest du',
  fr: 'veux-tu|voulez-vous|dois-je',
  es: 'quieres que|debo',
  pt: 'quer que|devo',
  ru: 'хотите|хочешь|мне (?:начать|сделать)',
  zh: '需要我|要我',
  ja: 'しましょうか',
});

/** Matches a request of the agent for an output or an observation. The answer is not a decision. */
export const INVESTIGATES = contains({
  en: 'paste|what (?:does|do|did) (?:it|you|the \\w+) (?:say|show|print|see)|(?:can|could) you (?:run|check|show|send|share|try|look)|which (?:version|error)|(?:do|did) you (?:see|get|have)',
  de: 'kannst du .{0,40}(?:schicken|zeigen|einfügen|ausführen|prüfen)|siehst du|welche version',
  fr: '(?:peux-tu|pouvez-vous) .{0,40}(?:coller|montrer|lancer|vérifier)|quelle version',
  es: '(?:puedes|podrías) .{0,40}(?:pegar|mostrar|ejecutar|comprobar)|qué versión',
  pt: '(?:pode|poderia) .{0,40}(?:colar|mostrar|executar|verificar)|qual versão',
  ru: '(?:можешь|можете) .{0,40}(?:прислать|показать|запустить|проверить)|какая версия',
  zh: '贴一下|运行一下|什么版本|看一下输出',
  ja: '貼って|実行して|バージョンは|見せて',
});

/** Matches a question of the agent whether its last message is correct. */
export const CONFIRMS = contains({
  en: '(?:does|do|would|will|is|are) (?:that|this|it|these|those)(?: all)? (?:work|match|sound|fit|right|correct|ok(?:ay)?|fine|good|make sense|acceptable)|sounds? (?:good|right|ok(?:ay)?|fair)|(?:go|stick) with (?:that|this|it|those)|do you agree|agreed|ok(?:ay)? with you|right|correct|shall we|should we (?:use|say|keep|adopt|make|go with)|are you (?:ok(?:ay)?|fine|happy) with',
  de: 'passt das|einverstanden|ist das (?:so )?(?:richtig|in ordnung|ok)|sollen wir|nehmen wir',
  fr: "(?:te|vous) (?:va|convient)|d'accord|est-ce (?:correct|bon)|c'est bon|on part là-dessus",
  es: 'te parece|de acuerdo|está bien|es correcto|lo dejamos así|vamos con eso',
  pt: 'de acordo|tudo bem|está certo|pode ser|vamos com isso|concorda',
  ru: 'подходит|согласн\\p{L}+|верно|правильно|устраивает|годится',
  zh: '可以吗|同意吗|对吗|行吗|好吗|是否同意',
  ja: 'でよろしい|でいいですか|でどうですか|合っていますか|よいですか',
});

/** Matches a reference to an earlier description. */
export const REFERS_BACK = contains({
  en: 'like (?:this|that)|this way|that way|as described|as above',
  de: 'so (?:umsetzen|machen|einbauen|bauen)|auf diese weise',
  fr: 'comme (?:ça|cela)|ainsi',
  es: 'así',
  pt: 'assim',
  ru: 'так',
  zh: '这样',
  ja: 'このように|この形で',
});

/** Matches a recommendation of the agent. */
export const RECOMMENDS = contains({
  en: "i(?:'d| would)? (?:[a-z]+ly |therefore )?(?:recommend|suggest|propose|favou?r|lean towards)|my (?:recommendation|suggestion|proposal|vote)|(?:i'd|i would) go with|let's (?:use|go with|keep|adopt|standardi[sz]e)|we should(?! (?:never )?have)",
  de: 'ich empfehle|ich schlage|mein vorschlag|meine empfehlung',
  fr: 'je (?:recommande|propose|suggère|conseille)|ma recommandation',
  es: 'recomiendo|propongo|sugiero|mi (?:recomendación|propuesta)',
  pt: 'recomendo|proponho|sugiro|minha (?:recomendação|proposta)',
  ru: 'рекомендую|предлагаю|советую|мо[её] предложение',
  zh: '我?建议|推荐|我的方案',
  ja: 'お勧めします|おすすめします|おすすめです|提案します|推奨します',
});

/** Matches a list of alternatives. */
export const NAMES_CHOICE = contains({
  en: 'or',
  de: 'oder',
  fr: 'ou',
  es: 'o',
  pt: 'ou',
  ru: 'или',
  zh: '还是|或者',
  ja: 'それとも|または',
});

/** Matches a report of completed work. Only evidence can prove such a report. */
export const REPORTS =
  /^\W*(?:i(?:'ve| have)? \w+ed\b|i (?:made|built|ran|found|wrote)|\w+ed `|(?:updated|added|fixed|removed|created|changed|moved|renamed|all tests|tests? pass|done)\b)|\btests? pass(?:es|ed)?\b|\bcommit [\da-f]{7}/iu;

/** Matches a question by its mark or its ending, or by its first word when it has no mark. */
export const ASKS =
  /[?？]["')\]*_]*\s*$|(?:吗|呢|ですか|ますか|でしょうか)[。.]?\s*$|^\W*(?:(?:ok|and|so|but|then|und|y|et|e),? )*(?:how|why|what|where|who|which|is (?:it|this|that|there)|are (?:we|there|they)|do (?:i|we|you)|does|did|can (?:i|we|you)|could (?:you|we)|wie|warum|was|wo|wer|comment|pourquoi|cómo|por qué|qué|dónde|como|onde|как|почему|что|где)(?![\p{L}'’])(?=.*[\p{L}\p{N})\]`"']\s*$)/iu;

/**
 * Matches commit hashes and numbers of commits and tickets. Such statements apply only to one state of a repository.
 */
export const NAMES_COMMIT = /(?<![\w-])(?=[a-f]*\d)[\da-f]{7,40}(?![\w-])|#\d{2,}\b/u;
