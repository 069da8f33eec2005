import { stemWord } from './stem-word.js';

/** Stemmed words that are common in conversations about any program, so sharing them says little about the subject. */
export const EVERYDAY_WORDS: ReadonlySet<string> = new Set(
  (
    'able add again agent allow already another answer app application apply argument around ask available back bad base because ' +
    'become begin best better big both branch break bring bug build button call case catch cause change check class clean clear ' +
    'close code command comment commit common compare complete component config configuration confirm connect consider contain ' +
    'content continue control convert copy correct could create current data database date day debug default define delete depend ' +
    'describe description design detail develop developer different directory display doc document documentation done easy edit ' +
    'element empty enable end ensure entry environment error even event every exact example exist expect explain export extra fact ' +
    'fail failure false feature few field file fill find finish first fix flag flow folder follow form format found full function ' +
    'future general generate get give go good great group guess handle happen hard have help high hold hope idea implement ' +
    'implementation import important improve include index info information input inside install instead interface issue item job ' +
    'just keep key kind know language large last later layer learn leave left let level library like line link list little load ' +
    'local log logic long look lot main make manage many map match maybe mean message method might mind missing model modify module ' +
    'move much multiple name need new next note nothing number object ok old open option order organize original output package page ' +
    'parameter parse part pass path pattern people perform place plan point possible prepare present press previous print problem ' +
    'process produce product program project prompt proper provide pull push put question quick quite rather read ready real really ' +
    'reason receive recent recommend record refactor reference related release remove rename replace repo report repository request ' +
    'require resource response rest result return review rewrite right run safe save say screen script search section see select ' +
    'send separate server service session set setting setup several short show side similar simple simplify since size small ' +
    'software solution solve something sort source specific standard start state status step still stop store string structure stuff ' +
    'style suggest summary support sure system table tag take talk task tell template test text thank thing think time title today ' +
    'together tool top total track true try turn two type understand unit unknown unless update upgrade use useful user usual valid ' +
    'value variable verify version view wait want way web week well wish without word work worker world worth write wrong year yes ' +
    'yet'
  )
    .split(' ')
    .map((word) => stemWord(word)),
);
