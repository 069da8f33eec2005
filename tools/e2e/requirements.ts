/** The source of a requirement: a list of known faults of similar systems, or the goals of the project. */
export type RequirementSource = 'bug-kinds' | 'goals';

/**
 * A requirement for the complete system. `proved`: at least one test title contains its id. `later`: not implemented
 * yet, and in no title.
 */
export interface Requirement {
  id: string;
  promise: string;
  source: RequirementSource;
  /** The kind of fault. Null for a requirement that is not a fault. */
  kind: string | null;
  state: 'proved' | 'later';
}

interface Kind {
  /** Creates requirements for all ids of a kind, or for the listed ids. */
  proved: 'all' | readonly string[];
  promises: Readonly<Record<string, string>>;
}

const KINDS: Readonly<Record<string, Kind>> = {
  K01: {
    proved: 'all',
    promises: {
      B001: 'A stranger on the port costs one short warning per session and no retries, and the worker starts once it is gone.',
      B002: 'A process id file that names a living stranger neither stops the worker nor harms the stranger.',
      B003: 'With two versions installed the higher one ends up running, after at most one restart.',
      B004: 'An event that arrives while the worker is starting is kept and stored once.',
      B005: 'A worker that cannot read its database is alive but not ready, says why, and is not restarted in a loop.',
      B006: 'Any number of hooks that find no worker start exactly one.',
      B007: 'A stop before the worker listens still ends everything: no child, no open database, no port.',
      B008: 'A closed terminal or a broken connection to a provider does not end the worker.',
    },
  },
  K02: {
    proved: 'all',
    promises: {
      B024: 'A child process that ignores the polite signal is gone after its grace time.',
      B025: 'A helper that keeps failing is started one at a time with a pause between, and storing goes on.',
      B026: 'The number of processes does not grow with the number of prompts and returns to the worker alone.',
      B027: 'The limit on work side by side holds when everything starts at once.',
    },
  },
  K03: {
    proved: 'all',
    promises: {
      B101: 'Events with our marker, or from the observer’s own folder, leave no trace.',
      B102: 'Our own files and memory files are never captured.',
      B103: 'Context that we gave is removed before anything is stored.',
      B104: 'The observer’s child processes run without settings, plugins and tools, and with our marker.',
      B105: 'Blocks that the host writes into prompts are no prompts.',
      B106: 'Observer conversations stay out of the person’s own list and can still log in.',
    },
  },
  K04: {
    proved: 'all',
    promises: {
      B062: 'Every request to a provider stays under its budget however long the session.',
      B063: 'Pictures and other long encoded data are replaced by their type and size.',
      B064: 'A daily ceiling on calls holds, keeps the rest and says so.',
      B065: 'Work that is done is not paid for again after a retry.',
      B066: 'The same length limits hold on every way of writing a memory.',
    },
  },
  K05: {
    proved: 'all',
    promises: {
      B122: 'A rate limit is waited out as long as the provider asks.',
      B123: 'A used-up allowance stops the calls, keeps the work and is said once.',
      B124: 'Passing network and overload errors lose and double nothing.',
      B125: 'A login failure in prose is recognised, not stored, and keeps the batch.',
      B126: 'An item that a provider refuses for good is parked; the others are stored.',
      B127: 'A provider program that does not start is named in health and log and not started over and over.',
    },
  },
  K06: {
    proved: 'all',
    promises: {
      B009: 'Messages claimed when the worker died are each processed once after the restart.',
      B010: 'A closed session that gets new events is worked on again.',
      B011: 'A large old backlog neither delays the start nor is worked on in one piece.',
      B012: 'Clearing or leaving the chat drops no queued work.',
      B013: 'An end of turn for which nothing is summarised leaves the queue.',
      B014: 'A reply with nothing to record confirms its batch and asks no second time.',
      B015: 'Messages of sessions that no longer exist are listed and never counted as work.',
      B016: 'A batch that failed its attempts is kept, listed and can be retried.',
    },
  },
  K07: {
    proved: 'all',
    promises: {
      B081: 'An observation that is only prose is kept with a derived title.',
      B082: 'Brackets and tags inside a field do not cut it.',
      B083: 'Chatter and fences around a reply are ignored.',
      B084: 'An observation without content is no row and confirms its batch.',
      B085: 'An unknown type is stored.',
      B086: 'A concept with a remark is stored as the concept.',
      B087: 'The prompt’s own example is never stored.',
      B088: 'One broken record does not lose its neighbours.',
    },
  },
  K08: {
    proved: 'all',
    promises: {
      B148: 'A summary request that is answered by an observation stores it and is not asked for ever.',
      B149: 'An empty summary is no row.',
      B150: 'Hosts without a transcript path get summaries too.',
      B151: 'A missing, empty or one-sided transcript does not matter.',
      B152: 'The end of a helper agent is not the end of the turn.',
    },
  },
  K09: {
    proved: 'all',
    promises: {
      B017: 'The answer to the end of a turn never asks the host to go on or to block.',
      B018: 'No fault of ours makes a hook exit with the code that blocks, or take long.',
      B019: 'No stored text reaches the host from the end of a turn.',
      B020: 'The first run in an empty home prints one JSON document and nothing else.',
      B021: 'An answer to a session start has its right shape even when fields of the input are missing.',
      B022: 'A hook writes nothing to stderr when all is well.',
      B023: 'Context fits the host’s limit, ends on a whole item and keeps the newest.',
    },
  },
  K10: {
    proved: 'all',
    promises: {
      B114: 'A hook ends although its stdin stays open, and the event is stored.',
      B115: 'Broken, empty or wrongly typed input exits 0, prints nothing wrong, stores nothing and is logged once.',
      B116: 'A byte-order mark before the input does not matter.',
      B117: 'A host that names its session and folder differently is understood.',
      B118: 'No open workspace means the neutral project, never the editor’s own folder.',
      B119: 'Tool input and response of any JSON type are queued.',
      B120: 'A prompt without text still starts the session.',
      B121: 'Nearly valid JSON is salvaged or skipped, never a crash.',
    },
  },
  K11: {
    proved: 'all',
    promises: {
      B166: 'Every time limit in the shipped hook configuration is in seconds and sensible.',
      B167: 'The end of a turn does not wait for the observer.',
      B168: 'A healthy worker is not restarted and answers hooks in well under a second.',
      B169: 'A huge folder with loops does not slow the start of a session.',
    },
  },
  K12: {
    proved: 'all',
    promises: {
      B035: 'Homes and install folders with spaces, quotes and brackets work.',
      B036: 'Windows paths keep their separators and give the right project and file.',
      B037: 'Folders and files in any script work from hook to search.',
      B038: 'Every process we start hides its window.',
      B039: 'No packed script holds a carriage return.',
    },
  },
  K13: {
    proved: 'all',
    promises: {
      B028: 'The built programs run from another folder and know nothing of the one they were built in.',
      B029: 'Every built program starts on plain Node.',
      B030: 'All manifests carry the same version.',
      B031: 'A native module that does not load is named with its cure; hooks exit 0 and no data is touched.',
      B032: 'Packages hold no instructions for agents and no development configuration.',
      B033: 'The tests touch neither the real home nor the default port.',
      B034: 'Uninstalling restores the host’s settings byte by byte, leaves no process and keeps the data.',
    },
  },
  K14: {
    proved: 'all',
    promises: {
      B040: 'A schema that does not match its ledger is repaired or refused, never written to in silence.',
      B041: 'A database of a newer version is refused and not changed by a byte.',
      B042: 'Old rows without a parent do not stop a migration and stay readable.',
      B043: 'A start that is killed during a migration is finished by the next one without loss.',
    },
  },
  K15: {
    proved: 'all',
    promises: {
      B044: 'A database that is locked for seconds delays events and loses none.',
      B045: 'Many processes can open a fresh data directory at once.',
      B046: 'A damaged database is quarantined unchanged, health says so, hooks exit 0.',
      B047: 'Payloads are gone once they are processed, and the file shrinks after maintenance.',
      B048: 'The write-ahead file returns under its limit.',
      B049: 'A data directory on a network file system is refused with advice or used safely.',
      B050: 'Two processes that store at the same time lose nothing of each other.',
      B051: 'A settings file is whole at every moment of saving.',
    },
  },
  K16: {
    proved: 'all',
    promises: {
      B073: 'Any text is a valid search query.',
      B074: 'Words are found without vectors.',
      B075: 'A half-filled vector index hides nothing.',
      B076: 'Date filters hold on every path.',
      B077: 'The best match comes first whatever its age.',
      B078: 'A deleted memory is gone from every index.',
      B079: 'Wildcard signs in a query are plain text.',
      B080: 'A timeline anchor is an id, however it is written.',
    },
  },
  K17: {
    proved: 'all',
    promises: {
      B128: 'Phrases in scripts without spaces are found.',
      B129: 'Text is never cut inside a character.',
      B130: 'Normal forms of the same text are the same text.',
      B131: 'Zero bytes neither break nor cut a text.',
    },
  },
  K18: {
    proved: 'all',
    promises: {
      B132: 'Missing fields do not stop a vector from being stored.',
      B133: 'A repeated id does not fail its batch.',
      B134: 'Another embedding size is noticed and rebuilt.',
      B135: 'A restart embeds nothing twice and misses nothing.',
      B136: 'An outage of the vector server is not read as an empty one.',
      B137: 'The vector server does not run in the person’s folder.',
    },
  },
  K19: {
    proved: 'all',
    promises: {
      B089: 'All worktrees of a repository share one memory.',
      B090: 'Sub-folders of a repository belong to it.',
      B091: 'Two folders of the same name are two projects with different shown names.',
      B092: 'The home and the temp folder are no project.',
      B093: 'A session whose first event has no folder gets its project from a later one.',
      B094: 'No memory changes its project by itself.',
      B095: 'A record belongs to the project of its events, however late the reply.',
    },
  },
  K20: {
    proved: 'all',
    promises: {
      B138: 'The same event from many processes is one row.',
      B139: 'A batch is stored once, also when its reply comes again after a restart.',
      B140: 'A session has one conversation with the observer at a time.',
      B141: 'Different records are never taken for the same.',
    },
  },
  K21: {
    proved: 'all',
    promises: {
      B153: 'By default no file appears in the repository.',
      B154: 'No context file without content, and a deleted one stays deleted.',
      B155: 'No context file in tool folders.',
      B156: 'Invented or foreign paths create nothing.',
      B157: 'A person’s text around our block is never lost.',
      B158: 'A generated rules file does not show up in every diff.',
    },
  },
  K22: {
    proved: 'all',
    promises: {
      B161: 'Context is given once per session, and again after it was compacted or cleared.',
      B162: 'Context stays under its limit and is quick to build whatever is stored.',
      B163: 'A change of mode and back loses no context.',
      B164: 'Reading context never writes and never waits for a writer.',
      B165: 'Helper agents get no context that they cannot use.',
    },
  },
  K23: {
    proved: 'all',
    promises: {
      B067: 'No secret of a command or its output is stored, logged, sent or shown.',
      B068: 'Private tags work in any case.',
      B069: 'Private text does not come back through another field.',
      B070: 'Keys of the project folder and of the surrounding environment are not used.',
      B071: 'Data directory, database, settings, logs and token are readable by their owner only.',
      B072: 'An excluded project leaves no trace and gets no context, also through links and from sub-folders.',
    },
  },
  K24: {
    proved: 'all',
    promises: {
      B052: 'Without the token nothing can be read or changed; with it keys come masked and survive being saved so.',
      B053: 'A foreign host name is refused before routing.',
      B054: 'No foreign origin may read an answer.',
      B055: 'No path in a request reaches outside the data directory.',
      B056: 'Nothing that chooses a program, an address or a folder can be set over HTTP.',
      B057: 'The default address is this machine only, and a wider one still needs the token.',
      B058: 'Memory is shown as text, never as markup.',
      B059: 'Special keys in a body change nothing.',
      B060: 'Huge, nested and hostile bodies are refused quickly.',
      B061: 'With all checks on, our own hooks and clients are never turned away.',
    },
  },
  K25: {
    proved: 'all',
    promises: {
      B096: 'Planted text comes back only as quoted, labelled past data.',
      B097: 'Stored text cannot close our block or open another.',
      B098: 'Tool output cannot forge an observation.',
      B099: 'A title stays on its line.',
      B100: 'A saved memory shows its source and overwrites no other.',
    },
  },
  K26: {
    proved: 'all',
    promises: {
      B107: 'Zero, false and empty are values.',
      B108: 'A settings file with a byte-order mark is read.',
      B109: 'Saving one value keeps all others, known or not, and their order.',
      B110: 'What we install has the form that the host expects.',
      B111: 'A tilde is the home and never a folder of that name.',
      B112: 'Hooks reach the worker whatever localhost means.',
      B113: 'With another data directory the default one is never made.',
    },
  },
  K27: {
    proved: 'all',
    promises: {
      B142: 'Every line of the MCP server’s stdout is a protocol message.',
      B143: 'Ids are accepted in every form that clients send.',
      B144: 'Every MCP tool declares its input.',
      B145: 'Tool names are short and valid with their prefix.',
      B146: 'Odd numbers are bounded or refused.',
      B147: 'An id shown anywhere works everywhere.',
    },
  },
  K28: {
    proved: 'all',
    promises: {
      B170: 'A live feed that was cut goes on complete and without doubles.',
      B171: 'A huge log file is read from its end only.',
      B172: 'One bad row breaks no list.',
      B173: 'A late reply of another project is not shown.',
    },
  },
  K29: {
    proved: 'all',
    promises: {
      B159: 'A file counts as modified only when an event shows it.',
      B160: 'Claims without evidence are marked or dropped, and nothing else is.',
    },
  },
};

const GOALS: Readonly<Record<string, string>> = {
  P001: 'Every tool event of a session has exactly one recorded end.',
  P002: 'A session that is replayed changes nothing in the database.',
  P003: 'A worker killed at any moment loses and doubles nothing and leaves nothing behind.',
  P004: 'Installing and uninstalling leaves every byte of the host’s settings that is not ours as it was.',
  P005: 'The rules about which package may import which really fail.',
  P006: 'Events that no worker took wait on disk and are stored by the next one.',
  P007: 'A worker told to end does so within two seconds, and its lock, socket and files are free.',
  P008: 'What one session did is the context of the next, with no key and no network.',
  P009: 'Every fault in the list is in this manifest, and the gate over it fails on gaps.',
  P010: 'A worker killed in the middle of a call to a model loses and doubles nothing, meters the call and leaves no child.',
  P011: 'An hour in which a model’s vendor fails costs no event, no storm of calls and one plain notice, and ends by itself.',
  P012: 'What is imported is found at once, and a worker killed at any moment leaves it stored and indexed exactly once.',
  P013: 'Any number of processes search beside the writing worker without an error or a lock.',
  P014: 'Without vectors, or with broken, slow or other ones, search answers from the rest, says so, and heals by itself.',
  P015: 'The search library, installed alone, opens and searches a memory that a worker writes.',
};

export const requirements: readonly Requirement[] = [
  ...Object.entries(KINDS).flatMap(([kind, { proved, promises }]) =>
    Object.entries(promises).map(([id, promise]): Requirement => ({
      id,
      promise,
      source: 'bug-kinds',
      kind,
      state: proved === 'all' || proved.includes(id) ? 'proved' : 'later',
    })),
  ),
  ...Object.entries(GOALS).map(([id, promise]): Requirement => ({
    id,
    promise,
    source: 'goals',
    kind: null,
    state: 'proved',
  })),
];
