import { expect, it } from 'vitest';
import { analyzeRecord } from './analyze-record.js';
import { detectLatinLanguage } from './latin-languages.js';

it.each([
  ['de', 'Wir haben beschlossen, die Rechnungen vor der Steuer zu runden'],
  ['es', 'Se corrigió el error de redondeo de los cupones en el carrito'],
  ['fr', 'Correction de l’arrondi des bons dans le panier'],
  ['it', 'Corretto l’arrotondamento dei buoni nel carrello'],
  ['pt', 'Corrigido o arredondamento dos cupons no carrinho'],
  ['tr', 'Kullanıcı girişi sunucuda yavaş'],
  [null, 'The total of the cart is rounded before vouchers are applied'],
  [null, 'Set the DES cipher and the DE locale in the La Carte project'],
  [null, 'Zertifikat abgelaufen'],
  [null, 'Исправлена ошибка округления'],
  [null, ''],
])('R12: detects %s in "%s"', (language, text) => {
  expect(detectLatinLanguage(text)).toBe(language);
});

it('adds no terms to a record in English', () => {
  const { terms } = analyzeRecord({ kind: 'prompt', promptText: 'Round the total of the cart' });
  expect([...terms.keys()].filter((term) => term.includes('~'))).toEqual([]);
});
