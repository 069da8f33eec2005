export declare const SYNTHETIC_WORDS: readonly string[];
export declare function syntheticRecord(options: { number: number; random: () => number; project: string }): {
  uid: string;
  title: string;
  project: string;
};
