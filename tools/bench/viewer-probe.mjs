// Runs in each page of the viewer before its own scripts. Records when the main content was painted, and when the
// results of the typed text were painted. Times are milliseconds since the navigation started.
/* global MessageChannel, MutationObserver, addEventListener, document, location, requestAnimationFrame, window */
(() => {
  // The last entry matches project pages, which have their main content outside of cards.
  const FIRST = [
    [/^\/$/, 'ol article'],
    [/^\/search$/, '#search-results article'],
    [/^\/sessions\/\d+$/, 'main article'],
    [/^\/projects\/\d+$/, 'main [href^="/sessions/"]'],
  ];
  const answers = new Map();
  let lastKey = 0;
  let awaited = null;

  /** Resolves after the frame that shows the current content of the document. */
  const painted = () =>
    new Promise((done) => {
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => done(performance.now());
        port2.postMessage(null);
      });
    });

  addEventListener('keydown', ({ timeStamp }) => (lastKey = timeStamp), { capture: true });
  performance.setResourceTimingBufferSize(5_000);

  const ask = window.fetch;
  window.fetch = async (...args) => {
    const address = new URL(String(args[0]), location.href);
    const response = await ask(...args);
    if (address.pathname !== '/api/search') return response;
    const read = response.text.bind(response);
    response.text = async () => {
      const text = await read();
      answers.set(address.searchParams.get('query') ?? '', address.href);
      return text;
    };
    return response;
  };

  const isDrawn = (query) => {
    if (!answers.has(query)) return false;
    const found = document.querySelector('section[aria-busy]');
    return found?.getAttribute('aria-busy') === 'false' && found.querySelector('div[role="status"]') === null;
  };
  const checkAnswer = () => {
    if (awaited === null || !isDrawn(awaited.query)) return;
    const { query, done } = awaited;
    awaited = null;
    const key = lastKey;
    void painted().then((drawn) => done({ key, drawn, ...timesOf(answers.get(query)) }));
  };
  const timesOf = (address) => {
    const entry = performance.getEntriesByName(address).at(-1);
    if (entry === undefined) return { asked: 0, answered: 0, came: 0, bytes: 0 };
    const { requestStart: asked, responseStart: answered, responseEnd: came, decodedBodySize: bytes } = entry;
    return { asked, answered, came, bytes };
  };

  const first = new Promise((done) => {
    const selector = FIRST.find(([path]) => path.test(location.pathname))?.[1];
    const observer = new MutationObserver(() => {
      checkAnswer();
      if (!isWaiting || selector === undefined || document.querySelector(selector) === null) return;
      isWaiting = false;
      void painted().then(done);
    });
    let isWaiting = true;
    observer.observe(document, {
      subtree: true,
      childList: true,
      attributes: true,
      attributeFilter: ['aria-busy'],
    });
  });

  window.bench = {
    firstPainted: () => first,
    /** Resolves with the times of the results for this text when they are painted. */
    answerDrawn: (query) =>
      new Promise((done) => {
        answers.delete(query);
        awaited = { query, done };
      }),
  };
})();
