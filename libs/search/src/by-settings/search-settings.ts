/** What search depends on, named as in the settings of claude-mem. */
export interface SearchSettings {
  vectorIndex: 'flat' | 'chroma' | 'none';
  /** `managed`, or empty: a server of our own. */
  chromaUrl: string;
  chromaTenant: string;
  chromaDatabase: string;
  chromaToken: string;
  embedder: 'use-lite' | 'transformers' | 'openai-compatible' | 'none';
  embedderModel: string;
  embedderBaseUrl: string;
  embedderApiKey: string;
}

/** True when nothing is found by meaning, because a person wants it so. */
export function isMeaningOff({ vectorIndex, embedder }: SearchSettings): boolean {
  return vectorIndex === 'none' || embedder === 'none';
}

/** True when Chroma runs as a server of our own. */
export function isManagedChroma({ chromaUrl }: SearchSettings): boolean {
  return chromaUrl === '' || chromaUrl === 'managed';
}

/** What is kept up: an index at another place, or of another model, is another one. */
export function vectorTarget(settings: SearchSettings, model: string): string {
  if (settings.vectorIndex !== 'chroma') return `${settings.vectorIndex}/${model}`;
  const place = isManagedChroma(settings) ? 'managed' : settings.chromaUrl;
  return ['chroma', place, settings.chromaTenant, settings.chromaDatabase, model].join('/');
}
