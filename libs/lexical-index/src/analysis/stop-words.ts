import { stemWord } from './stem-word.js';

/** Stemmed words that are too common to be searched when a query has other words. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a about after all also am an and any are arent as at be because been before being between both but by can cannot cant could couldnt ' +
    'did didnt do does doesnt doing dont down during each for from further had hadnt has hasnt have havent having he her here hers him his how ' +
    'i if ill im in into is isnt it its itself ive just me might more most my no nor not of off on once only or other our ours out over own ' +
    'please same she should shouldnt so some such than that thats the their theirs them then there these they this those through to too ' +
    'under until up us very was wasnt we were werent what when where which while who whom whose why will with wont would wouldnt you your yours'
  )
    .split(' ')
    .map((word) => stemWord(word)),
);
