export declare const MADE_UP_WORDS: readonly string[];
export declare function madeUpRecord(options: { number: number; random: () => number; project: string }): {
  uid: string;
  title: string;
  project: string;
};
