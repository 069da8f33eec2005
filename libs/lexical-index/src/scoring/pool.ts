/** Reuses large objects between queries, because allocating them would take most of the time of a search. */
export interface Pool<Item> {
  begin(): Lease<Item>;
}

/** The objects of one query. */
export interface Lease<Item> {
  /** Returns an unused object of at least this size. */
  acquire(size: number): Item;
  /** Returns all objects to the pool. */
  release(): void;
}

export function createPool<Item>(options: {
  /** Maximum number of objects that are kept while no query runs. */
  kept: number;
  create(size: number): Item;
  sizeOf(item: Item): number;
  clear(item: Item): void;
}): Pool<Item> {
  const { kept, create, sizeOf, clear } = options;
  let free: Item[] = [];
  return {
    begin() {
      let held: Item[] = [];
      return {
        acquire(size) {
          const place = free.findIndex((item) => sizeOf(item) >= size);
          const [item = create(Math.ceil(size * 1.1) + 64)] = place >= 0 ? free.splice(place, 1) : [];
          held.push(item);
          return item;
        },
        release() {
          for (const item of held) clear(item);
          free = [...held, ...free].slice(0, kept);
          held = [];
        },
      };
    },
  };
}
