import { expect, it } from 'vitest';
import { factsOf } from './__fixtures__/conversations.js';

it.each([
  [
    'de',
    [
      'Die Rechnungen weichen um einen Cent ab.',
      'Die Rundung ist kaufmännisch. Soll ich pro Position oder auf die Summe runden?',
      'Pro Position, immer. Die Summe darf nicht noch einmal gerundet werden.',
      'Verstanden: gerundet wird pro Position, die Summe wird nicht noch einmal gerundet.',
      'Genau.',
    ],
    'Die Summe darf nicht noch einmal gerundet werden.',
  ],
  [
    'fr',
    [
      'Les factures diffèrent de un centime.',
      'Faut-il arrondir chaque ligne ou le total ?',
      'Chaque ligne, toujours. Le total ne doit jamais être arrondi une seconde fois.',
      'Compris : arrondir chaque ligne, le total jamais une seconde fois.',
      'Exactement.',
    ],
    'Le total ne doit jamais être arrondi une seconde fois.',
  ],
  [
    'es',
    [
      'Las facturas difieren en un céntimo.',
      '¿Redondeo cada línea o el total?',
      'Cada línea, siempre. El total nunca debe redondearse otra vez.',
      'Entendido: redondear cada línea, el total nunca otra vez.',
      'Exacto.',
    ],
    'El total nunca debe redondearse otra vez.',
  ],
  [
    'pt',
    [
      'As faturas diferem em um centavo.',
      'Devo arredondar cada linha ou o total?',
      'Cada linha, sempre. O total nunca deve ser arredondado outra vez.',
      'Entendido: arredondar cada linha, o total nunca outra vez.',
      'Exato.',
    ],
    'O total nunca deve ser arredondado outra vez.',
  ],
  [
    'ru',
    [
      'Счета расходятся на одну копейку.',
      'Округлять каждую строку или итог?',
      'Каждую строку, всегда. Итог никогда нельзя округлять второй раз.',
      'Понял: округлять каждую строку, итог никогда второй раз.',
      'Верно.',
    ],
    'Итог никогда нельзя округлять второй раз.',
  ],
  [
    'zh',
    [
      '发票金额相差一分钱。',
      '应该对每一行四舍五入，还是对总额四舍五入？',
      '对每一行。总额不得再次四舍五入，必须保持各行之和。',
      '明白：对每一行四舍五入，总额不得再次四舍五入，保持各行之和。',
      '对。',
    ],
    '总额不得再次四舍五入，必须保持各行之和。',
  ],
  [
    'ja',
    [
      '請求書が一円ずれています。',
      '各行を丸めますか、それとも合計を丸めますか？',
      '各行です。合計は絶対に再び丸めてはいけない、各行の和にしてください。',
      '承知しました。各行を丸め、合計は再び丸めず、各行の和にします。',
      'はい。',
    ],
    '合計は絶対に再び丸めてはいけない、各行の和にしてください。',
  ],
  [
    'a language without word lists',
    [
      'Faktury różnią się o jeden grosz.',
      'Zaokrąglać każdą pozycję czy sumę faktury?',
      'Każdą pozycję faktury osobno, suma faktury bez zaokrąglania.',
      'Każdą pozycję faktury zaokrąglam osobno, suma faktury zostaje bez zaokrąglania.',
    ],
    'Każdą pozycję faktury osobno, suma faktury bez zaokrąglania.',
  ],
])('records the rule that the user states when the conversation is in %s', (_, texts, rule) => {
  expect(factsOf(...texts).join('\n')).toContain(rule);
});
