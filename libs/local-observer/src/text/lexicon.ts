/**
 * Words that show the purpose of a sentence, in the most frequent languages of agents. Other languages only lose these
 * distinctions, because files, symbols and numbers are found without words.
 */

/** Matches a sentence that only reports the end of the work. */
export const OPENING =
  /^(?:done|all done|perfect|(?:great|excellent|good|nice|fair|sharp)(?: question| news| catch| point| idea| find| observation)?|ok(?:ay)?|sure(?: thing)?|yes|no|absolutely|exactly|right|correct|you(?:'|’)re (?:absolutely )?(?:right|correct)(?: to ask)?|got it|understood|fixed|complete[d]?|finished|success|all (?:set|good|green|passing|clean|fixed)|everything (?:passes|works|is (?:green|passing|clean|good))|build complete|tests? pass(?:es|ed)?|fertig|erledigt|perfekt|super|gut|alles klar|ja|nein|完了(?:しました|です)?|できました|はい|いいえ|承知しました|了解(?:しました|です)?|修正完了|完成(?:了)?|好的|已完成|搞定|是的|готово|отлично|сделано|да|нет|хорошо|terminé|parfait|c(?:'|’)est fait|voilà|listo|hecho|perfecto|pronto|feito|fatto|완료(?:했습니다|되었습니다)?|네)\s*[.!。！,:–—-]*\s*/i;

/** Matches a line that only introduces a list. */
export const LEAD_IN =
  /^(?:(?:so,? )?here(?:'|’)?s (?:a |the |what|how|my)|here (?:is|are) |summary(?: of)?\b|(?:the )?(?:key |main )?(?:changes|fixes|updates)(?: made| are| include)?\b.{0,20}:?$|what (?:i|was|changed)|this (?:opens|gives|shows|includes)|the flow is|now i (?:have|see|understand)|i (?:can (?:now )?see|see|understand|notice)\b|i have (?:the|a|all|enough)\b|.{0,60}\bi can think of\b|summary of |let me |looking at |i(?:'|’)ll |i will |hier (?:ist|sind) |zusammenfassung|以下(?:は|の)|まとめ|主な(?:更新|変更)|以下是|总结|主要(?:变更|更改)|вот |итог|voici |aquí (?:está|tienes)|resumen)/i;

/** Matches an announcement of work. Such work is neither completed nor a finding. */
export const ANNOUNCEMENT =
  /^(?:(?:\w+[,!.:–—-]+|now|next|then|so|also|and|but|ok(?:ay)?)\s+){0,3}(?:let me(?! know)|let(?:'|’)s|i(?:'|’)ll|i(?:'|’)m going to|i (?:also |still |now |first |just )?(?:will|need to|have to|want to))\b/i;

/** Matches one of several proposals. */
export const OPTION =
  /^(?:option|approach|alternative|variant|choice|方案|案|variante|вариант)\s*(?:\d|[A-D]\b|one|two|three)/i;

/** Matches a heading above problems that the agent saw and did not change. */
export const UNCHANGED_HEADING =
  /\b(?:skipped|not (?:changed|addressed|fixed|done|included|touched|needed)|left (?:as|alone|un)|unchanged|ignored|dismissed|won(?:'|’)t fix|declined|out of scope|no (?:change|action)s? (?:needed|required)|intentionally)\b|対応不要|変更なし|未修改|不修改|не (?:изменено|трогал)/i;

/** Matches offers, politeness and questions to the user. */
export const OFFER =
  /^(?:would you (?:like|prefer)|do you (?:want|need)|shall i|should i|want me to|may i|can i help|could you|is there anything|anything else|let me know|feel free|happy to|if you(?:'|’)?d? (?:like|want|prefer|need|have)|just (?:say|let)|tell me|please (?:let|confirm|review|check)|what would you like|which (?:one|option|approach)|how (?:would|do) you (?:like|want)|reply with|ready (?:to|for) |soll(?:te)? ich|möchte(?:st|n)|sag(?:en sie)? (?:mir )?bescheid|gib(?: mir)? bescheid|brauchst du|wenn du|必要(?:であれば|でしたら|なら)|ご(?:希望|質問|確認|不明)|何か|よろしければ|如果(?:您|你)|需要我|请(?:告诉|确认|检查)|要不要|是否|если (?:хотите|нужно)|хотите|дайте знать|нужно ли|souhaitez-vous|voulez-vous|n(?:'|’)hésite|dis-moi|¿|quieres|avísame|dime|quer que|me avise|필요하시면|원하시면)/i;

/** Matches a heading that announces only remaining work. */
const TODO_HEADING = new RegExp(
  String.raw`^[^\p{L}]*(?:(?:the|your|my|our|possible|recommended|suggested|immediate|remaining|open|optional|future|other) )*(?:${[
    'next steps?',
    'to[- ]?dos?(?: (?:list|items?))?',
    String.raw`(?:what )?remain(?:s|ing)(?: (?!\w+ed\b)[\w-]+){0,3}`,
    '(?:required|manual) (?:set-?up|steps?|actions?)',
    'follow-?ups?(?: (?:work|tasks?|items?))?',
    'still (?:to do|open|needed)',
    'action items?',
    "what(?:'|’)s (?:left|open)(?: to do)?",
    'open (?:questions?|items?|points?|issues?|tasks?)',
    'nächste schritte|offene? (?:punkte|fragen|aufgaben)|offen|noch (?:zu tun|offen)',
    'prochaines étapes|reste à faire|próximos pasos|próximos passos|prossimi passi',
    '.{0,6}(?:次の?(?:ステップ|手順)|今後|残り|未対応|下一步|后续|待办|剩余|다음 단계|남은).{0,6}',
    'следующие шаги|осталось(?: сделать)?',
  ].join('|')})(?: (?:for|before|after|from) (?:(?!\w+ed\b).){1,40})?(?:\s*\([^)]*\))?[\s:\uff1a.]*$`,
  'iu',
);
/** Matches a heading that announces proposals or work of others. */
const PROPOSALS =
  /\b(?:before (?:you )?(?:merg|deploy|releas)\w*|recommend(?:ed|ations?)|suggest(?:ed|ions?)|needs? to|(?:we|you) should|empfehlung)\b|推奨|建议|рекоменд/i;

/** Returns true when the items below a heading or a lead-in are remaining work of the agent or others. */
export const announcesNext = (heading: string): boolean =>
  TODO_HEADING.test(heading.slice(0, 100)) || PROPOSALS.test(heading);
export const NEXT_SENTENCE =
  /^(?:(?:now |then |finally |just )?(?:you(?:'|’)ll (?:need|want|have)|you (?:(?:will |still |may |might |now )?(?:need(?: to)?|want to|have to)|should|must|can (?:now|quickly|rebuild|test|try|verify))|to (?:use|test|try|apply|enable|activate|run|deploy|verify|finish|complete) (?:it|this|them|the)|remember to|don(?:'|’)t forget|make sure (?:to|you)|be sure|try (?:running|it|again)|give .{1,40} (?:another |a )?(?:try|go)\b|restart|re-?run|(?:please )?run `|after (?:this|that|the) .*(?:lands?|merges?|deploys?|run\b)|once (?:you\b|(?:this|the|that) .{0,60}, (?:you|we|run))|(?:fix )?suggestions?\s*[:：]|(?:the |a |my )?(?:proposed|suggested|possible|recommended) (?:fix|change|solution|approach)\b|recommendation\s*[:：]|to fix (?:this|it|that)\b|worth (?:filing|adding|doing|checking)|the next step|next,|next:|remaining:|todo:|we(?:'|’)d need to|we (?:need|still need|should) )|du (?:musst|kannst|solltest)|sie (?:müssen|können)|starte|führe|次に|今後は|接下来|请运行|下一步|нужно будет|запустите|теперь можно|vous (?:devez|pouvez)|tu (?:dois|peux)|debes|puedes)/i;

/** Matches a hedge: no result proves the statement. */
export const HEDGE =
  /\b(?:likely|probably|possibly|perhaps|maybe|might|may (?:be|have|do|also|not|well)|could (?:be|have been)|seems?|appears? (?:to|that)|i (?:think|believe|suspect|assume|guess)|presumably|apparently|suspect(?:s|ed)?|culprits?|should (?:now )?(?:work|fix|be fixed|resolve|be able|help)|wahrscheinlich|vermutlich|möglicherweise|vielleicht|könnte|dürfte|scheint|probablement|peut-être|semble|probablemente|quizás|parece|provavelmente|talvez|forse|probabilmente)\b|おそらく|たぶん|かもしれ|思われ|可能性|はず|可能|也许|大概|应该是|似乎|вероятно|возможно|похоже|наверное|скорее всего|아마|것 같/i;

/** Matches a reason. */
export const CAUSE =
  /\b(?:because|since|root cause|the (?:cause|problem|issue|bug|reason|error)(?: here)? (?:was|is|were|identified)|caused by|due to|so that|in order to|which (?:meant|means|caused|led|made)|leads? to|led to|otherwise|as a result|that(?:'|’)s why|reason|never|weil|da die|dadurch|ursache|grund|damit|sonst|parce que|car|afin de|cause|porque|debido|causa|perché|pois)\b|ため|ので|原因|理由|から、|因为|由于|导致|所以|原因|потому|из-за|причина|так как|чтобы|때문|원인/i;

/** Matches a limitation: remaining work, unsupported cases or costs. */
export const LIMIT =
  /\b(?:not (?:yet|tested|covered|included|committed|pushed|run|verified|implemented|supported|possible|able|done)|did(?:n(?:'|’)t| not)|does(?:n(?:'|’)t| not)|could(?:n(?:'|’)t| not)|can(?:'|’)?t|cannot|won(?:'|’)t|without running|untested|unverified|remains?|remaining|still|however|except|caveat|limitation|trade-?off|note(?: that)?|warning|careful|beware|gotcha|only works|workaround|skipped|left (?:alone|untouched|as)|unchanged|intentional(?:ly)?|on purpose|unrelated|pre-?existing|breaking|deprecated|nicht|noch nicht|allerdings|jedoch|achtung|hinweis|ohne|pas encore|cependant|attention|mais|aún no|todavía|sin embargo|cuidado|ainda não)\b|ません|ない(?:ため|の|。)|未|ただし|注意|まだ|没有|尚未|不会|但是|注意|仍|未|не |ещё|однако|внимание|아직|하지만|않/i;

/** Matches a statement that checks passed. The results of the checks are more reliable. */
export const CHECK_CLAIM =
  /\b(?:(?:all |the |unit |integration |existing |new |\d+ )*(?:tests?|specs?|suite|checks?|lint(?:ing|er)?|type-?check(?:s|ing)?|build|ci|compilation)\b[^.]{0,60}\b(?:pass(?:es|ed|ing)?|succeed(?:s|ed)?|clean|green|successful(?:ly)?|complete[sd]?|works?)|passes `|(?:pass(?:es|ed|ing)?|clean|green)\b[^.]{0,40}\b(?:tests?|lint|build|type-?check)|0 (?:issues|errors|failures|warnings)|verified|validated|tests? (?:laufen|bestehen|grün)|bestanden)\b|テスト(?:は|が|も)?.{0,12}(?:通|成功|パス|合格)|测试.{0,10}(?:通过|成功)|тест\S* .{0,20}(?:проход|прош|успешн)|(?:les )?tests? (?:passent|réuss)|pruebas? .{0,12}pasan/i;

/** Matches a count of checks, or a statement that checks passed. */
export const CHECK_RATIO =
  /^(?=.*\b(?:tests?|specs?|suites?|ci|pipelines?|npm (?:run )?\w+|vitest|jest|pytest)\b)(?=.*(?:\b\d+ ?(?:\/|of|out of) ?\d+\b|\b(?:happy|green|ok|okay)\b|\bwithout (?:a |any )?(?:failures?|errors?)\b|\bno (?:failures?|errors?)\b|\bwent through\b))/is;

/** Matches verbs that claim a change of files. */
export const EDIT_CLAIM =
  /\b(?:add(?:s|ed|ing)?|creat(?:e|es|ed|ing)|updat(?:e|es|ed|ing)|remov(?:e|es|ed|ing)|delet(?:e|es|ed|ing)|fix(?:e[sd])?|chang(?:e|es|ed|ing)|renam(?:e|es|ed)|mov(?:e|es|ed)|refactor(?:ed|s)?|replac(?:e|es|ed)|implement(?:s|ed)?|rewr(?:ote|itten|ites)|extract(?:s|ed)?|simplif(?:y|ies|ied)|convert(?:s|ed)?|moved|introduc(?:e[sd]?)|wrote|configur(?:e[sd]?)|adjust(?:s|ed)?|improv(?:e[sd]?)|appl(?:ied|ies)|clean(?:ed|s) up|split|patch(?:ed|es)?|increased|reduced|raised|lowered|bumped|now (?:uses?|returns?|sets?|handles?|supports?|checks?)|hinzugefügt|geändert|entfernt|gelöscht|erstellt|behoben|ersetzt|umbenannt|aktualisiert|ajouté|modifié|supprimé|corrigé|créé|añadido|agregado|eliminado|corregido|creado|actualizado)\b|追加|更新|削除|修正|変更|作成|実装|置換|アップデート|添加|更新|删除|修复|修改|创建|实现|替换|移除|新增|добав|удал|исправ|измен|созда|замен|обнов|추가|수정|삭제|변경|생성/i;

/** Matches a sentence that begins with an action of the agent. */
export const OWN_ACTION =
  /^(?:added|adds?|fix(?:ed|es)?|removed?|replaced?|renamed?|moved?|split|extract(?:ed)?|switch(?:ed)?|implement(?:ed)?|refactor(?:ed)?|introduced?|created?|changed?|updated?|increased|reduced|raised|lowered|bumped|now)\b/i;

/**
 * Matches a statement that files were changed earlier. Sentences in the present tense then describe the current state.
 */
export const PAST_EDIT =
  /\b(?:added|created|updated|removed|deleted|fixed|changed|renamed|moved|refactored|replaced|implemented|rewrote|rewritten|extracted|simplified|converted|introduced|wrote|configured|adjusted|improved|cleaned up|split|patched|applied|hinzugefügt|geändert|entfernt|gelöscht|erstellt|behoben|ersetzt|umbenannt|aktualisiert|ajouté|modifié|supprimé|corrigé|créé|añadido|agregado|eliminado|corregido|creado|actualizado)\b|(?:追加|更新|削除|修正|変更|作成|実装|置換|アップデート)|(?:添加|更新|删除|修复|修改|创建|实现|替换|移除|新增)|(?:добав|удал|исправ|измен|созда|замен|обнов)(?:ил|лен|ён|ен)|(?:추가|수정|삭제|변경|생성)(?:했|하였|되)/i;

/** Matches a heading that praises the work. It contains nothing verifiable. */
export const PRAISE_HEADING =
  /^(?:key )?(?:benefits?|advantages?|highlights?|why this (?:is better|works|matters)|features at a glance|メリット|利点|优点|优势|преимущества|vorteile|avantages|ventajas)\b/i;

/** Matches a prompt that reports a fault. */
export const FAULT =
  /\b(?:bugs?|errors?|fail(?:s|ed|ing|ure|ures)?|broken|breaks?|crash(?:es|ed|ing)?|wrong|incorrect|regress\w*|doesn(?:'|’)t (?:work|show|load|run|seem)|does not work|not working|isn(?:'|’)t (?:working|showing|running|correct|right)|can(?:'|’)t (?:open|run|start|load|see|find|connect|log)|fix(?:es|ed|ing)?|issue with|exception|panic|leak(?:s|ing)?|hang(?:s|ing)?|freez\w*|slow|delay|timeout|flaky|missing|stuck|corrupt\w*|unexpected|vulnerab\w*|why (?:is|does|do|are|isn|doesn)|fehler|kaputt|geht nicht|funktioniert nicht|erreur|bogue|plante|falla|fallo|erro|problema)\b|バグ|エラー|不具合|失敗|修正|直し|動かない|おかしい|错误|报错|失败|修复|崩溃|问题|不工作|ошибк|баг|не работает|падает|исправ|сломал|오류|버그|고쳐/i;

/** Matches a prompt or message about the structure, not the behavior, of code. */
export const REQUESTS_REFACTORING =
  /\b(?:refactor\w*|renam\w*|mov(?:e|ed|ing) .{0,60}\b(?:to|into|out|back)|clean(?:ed|ing)?[ -]?up|simplif\w*|extract\w*|split\w*|consolidat\w*|dedup\w*|de-duplicat\w*|reorgani[sz]\w*|restructur\w*|inline[ds]?|remov(?:e|es|ed|ing) (?:the |all |unused |dead |duplicate|legacy |old |obsolete |references|\S+ (?:plugin|provider|package|module|code|reference))|no longer needed|umbenenn\w*|aufräum\w*|vereinfach\w*|renomm\w*|nettoy\w*|refactoriz\w*)\b|リファクタ|リネーム|整理|重构|重命名|清理|рефактор|переимен|упрост|리팩/i;

/** Matches a prompt that requests something new. */
export const REQUESTS_FEATURE =
  /\b(?:add|implement|create|build|introduce|support|allow|enable|make it possible|new (?:feature|command|option|flag|endpoint|page)|i(?:'|’)d like|i want|we need|can (?:we|you) (?:add|make|have|create|build)|füge|erstelle|baue|implementiere|ajoute|crée|añade|agrega|crea|adicione)\b|追加|作成|実装|作って|添加|新增|实现|创建|支持|добав|созда|реализ|сделай|추가|만들/i;

/** Matches a decision. */
export const DECIDED =
  /^(?:(?:the |our |final )?decision(?: made)?|decided|agreed|settled|(?:we|you|the user) (?:have |has )?(?:decided|agreed|settled|chose)(?: on| to| for)?|as (?:agreed|decided|you chose)|(?:wir haben (?:uns )?)?entschieden|entscheidung|beschlossen|décidé|décision|decidido|decisión|deciso|決定(?:事項)?|决定|решено|решение|결정)\s*[:：,–—-]\s*/i;

/** Matches a complete sentence with a decision: "We decided to keep x". Negative decisions keep their negation. */
export const DECIDED_TO =
  /^(?:(?:we|i|you|the user) (?:have |has )?)?(?:(?:decided|agreed|settled|opted)(?: (?:to|on|for|that))?|chose(?: to)?|went (?:with|for))\s/i;

/** Matches a statement that something is unchanged or not done. */
export const UNCHANGED =
  /\b(?:left (?:it |them |that )?(?:alone|untouched|as|out|unchanged)|did(?:n(?:'|’)t| not)|(?:is|are|was|were)(?:n(?:'|’)t| not) (?:yet |\w+ly )?\w+|not (?:yet|tested|covered|included|committed|pushed|run|verified|implemented|corrected|handled)|still|remains?|untested|unverified|unchanged|pre-?existing|nicht (?:getestet|geändert)|noch nicht|pas encore|aún no|ainda não)\b|未|まだ|ていません|尚未|还没|仍|ещё|пока не|아직/i;

/** Matches a promise of the agent to remember something, which states nothing new. */
export const PROMISE_TO_REMEMBER =
  /\b(?:remember|keep (?:that|this|it) in mind|bear (?:that|this|it) in mind)\b/i;
