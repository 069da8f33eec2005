/**
 * Replaces each line `#include NAME` by the function NAME of the hook script, so that all scripts find node in the
 * same way.
 * @throws Error when the hook script has no such function
 */
export function renderScript(template: string, hookScript: string): string {
  return template.replace(/^#include (\w+)$/gm, (_, name: string) => {
    const found = new RegExp(`^${name}\\(\\) \\{\\n[^]*?^\\}$`, 'm').exec(hookScript)?.[0];
    if (found === undefined) throw new Error(`The hook script has no function ${name}.`);
    return found;
  });
}
