export declare function missingDataReason(dataSets: readonly string[], folder?: string): string | null;
