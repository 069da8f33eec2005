// Wraps full-text libraries in one interface: { build(documents) -> { search(text, limit) -> ids } }. Each library is
// configured as its documentation recommends for English texts with several fields: all words optional, best results
// first. A document is { id, title, subtitle, narrative, facts, files }.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { create, insertMultiple, search as searchOrama } from '@orama/orama';
import flexsearch from 'flexsearch';
import english from 'flexsearch/lang/en';
import lunr from 'lunr';
import MiniSearch from 'minisearch';

const FIELDS = ['title', 'subtitle', 'narrative', 'facts', 'files'];
const TITLE_BOOST = 2;
const PER_IMPORT = 500;
/** Orama requires a list of stop words. Without one, its results are much worse. */
const STOP_WORDS =
  `a an the of in on to for and or with is are was were be it its this that we i how why who which where what when do does
  did not no so by at as from up off out`.split(/\s+/);

export const LIBRARIES = {
  'claude-mem': buildClaudeMem,
  minisearch: buildMiniSearch,
  orama: buildOrama,
  flexsearch: buildFlexSearch,
  lunr: buildLunr,
};

/** Builds the index of claude-mem through the public API and searches lexically, like the other libraries. */
async function buildClaudeMem(documents) {
  const [{ openMemory }, { openStorage }] = await Promise.all([
    import('@claude-mem/search'),
    import('@claude-mem/storage'),
  ]);
  const dataDir = mkdtempSync(path.join(tmpdir(), 'claude-mem-bench-'));
  const storage = await openStorage({
    file: path.join(dataDir, 'claude-mem.db'),
    backupsDir: path.join(dataDir, 'backups'),
  });
  let held = [];
  const store = async () => {
    const { failed } = await storage.store.importRecords(held, { now: Date.now() });
    if (failed.length > 0) throw new Error(`not imported: ${failed[0].reason}`);
    held = [];
  };
  for (const { record } of documents) {
    held.push(record);
    if (held.length === PER_IMPORT) await store();
  }
  await store();
  await storage.close();
  const memory = await openMemory({ dataDir, vectors: 'none' });
  return {
    async search(text, limit) {
      const { items } = await memory.search({ query: text, limit });
      return items.map(({ item }) => item.uid);
    },
    async close() {
      await memory.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function buildMiniSearch(documents) {
  const index = new MiniSearch({ fields: FIELDS, searchOptions: { boost: { title: TITLE_BOOST } } });
  for (const document of documents) index.add(textsOf(document));
  return {
    search: (text, limit) =>
      index
        .search(text)
        .slice(0, limit)
        .map(({ id }) => id),
  };
}

async function buildOrama(documents) {
  const index = create({
    schema: Object.fromEntries(FIELDS.map((field) => [field, 'string'])),
    components: { tokenizer: { language: 'english', stemming: true, stopWords: STOP_WORDS } },
  });
  const batch = [...documents].map(textsOf);
  await insertMultiple(index, batch, 1_000);
  return {
    async search(text, limit) {
      const { hits } = await searchOrama(index, { term: text, limit, boost: { title: TITLE_BOOST } });
      return hits.map(({ id }) => id);
    },
  };
}

async function buildFlexSearch(documents) {
  const { Document, Encoder, Charset } = flexsearch;
  const encoder = new Encoder(Charset.LatinBalance, english);
  const index = new Document({
    document: {
      id: 'id',
      index: FIELDS.map((field) => ({ field, tokenize: 'strict', encoder })),
    },
  });
  for (const document of documents) index.add(textsOf(document));
  return {
    search: (text, limit) => index.search(text, { limit, suggest: true, merge: true }).map(({ id }) => id),
  };
}

async function buildLunr(documents) {
  const builder = new lunr.Builder();
  builder.pipeline.add(lunr.trimmer, lunr.stopWordFilter, lunr.stemmer);
  builder.searchPipeline.add(lunr.stemmer);
  builder.ref('id');
  for (const field of FIELDS) builder.field(field, field === 'title' ? { boost: TITLE_BOOST } : {});
  for (const document of documents) builder.add(textsOf(document));
  const index = builder.build();
  return {
    search: (text, limit) =>
      index
        .query((query) => lunr.tokenizer(text).forEach((token) => query.term(token.toString())))
        .slice(0, limit)
        .map(({ ref }) => ref),
  };
}

function textsOf({ record: _record, ...texts }) {
  return texts;
}
