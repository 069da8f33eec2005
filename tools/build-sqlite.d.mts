type Run = (
  command: string,
  args: readonly string[],
  options: { env: Record<string, string> },
) => Promise<unknown>;

export function buildSqlite(run: Run): Promise<void>;
export function findNodeHeaders(node?: { execPath?: string; abi?: string }): string | null;
export function findMissingTools(system?: { PATH?: string; platform?: NodeJS.Platform }): string[];
export function describeBuildFailure(failure: {
  missing: readonly string[];
  headers: string | null;
  output: string;
  platform?: NodeJS.Platform;
  osRelease?: string;
}): string;
