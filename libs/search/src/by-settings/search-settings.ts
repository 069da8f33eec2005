/** The settings of search, with the same names as in the settings of claude-mem. */
export interface SearchSettings {
  vectorIndex: 'flat' | 'chroma' | 'none';
  /** `managed` or empty: a server that claude-mem starts. */
  chromaUrl: string;
  chromaTenant: string;
  chromaDatabase: string;
  chromaToken: string;
  embedder: 'use-lite' | 'transformers' | 'openai-compatible' | 'none';
  embedderModel: string;
  embedderBaseUrl: string;
  embedderApiKey: string;
}

/** Checks whether the user disabled semantic search. */
export function isMeaningOff({ vectorIndex, embedder }: SearchSettings): boolean {
  return vectorIndex === 'none' || embedder === 'none';
}

/** Checks whether claude-mem starts the Chroma server. */
export function isManagedChroma({ chromaUrl }: SearchSettings): boolean {
  return chromaUrl === '' || chromaUrl === 'managed';
}

/** Returns the identity of the vector index. It changes with the location and the model. */
export function vectorTarget(settings: SearchSettings, model: string): string {
  if (settings.vectorIndex !== 'chroma') return `${settings.vectorIndex}/${model}`;
  const place = isManagedChroma(settings) ? 'managed' : settings.chromaUrl;
  return ['chroma', place, settings.chromaTenant, settings.chromaDatabase, model].join('/');
}
