export declare function sampleSession(folder: string): readonly { event: string; payload: object }[];
