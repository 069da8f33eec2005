/** Signs in with a URL of `claude-mem open`, and loads the document and its script like a browser. */
export async function visitViewer(address: string): Promise<{ html: string; script: string }> {
  const signedIn = await fetch(address, { redirect: 'manual' });
  const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const read = async (path: string) => {
    const answer = await fetch(new URL(path, address), { headers: { cookie, accept: 'text/html,*/*' } });
    if (answer.status !== 200) throw new Error(`${path} was answered with ${answer.status}`);
    return answer.text();
  };
  const html = await read('/');
  return { html, script: await read(/<script [^>]*src="([^"]+)"/.exec(html)?.[1] ?? '/no-script') };
}
