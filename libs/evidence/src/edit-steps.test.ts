import { createObserverBatch } from '@claude-mem/core/testing';
import { describe, expect, it } from 'vitest';
import { collectEvidence } from './collect-evidence.js';
import { edit, PROJECT_ROOT } from './testing/tool-uses.js';

/** Returns the declarations around an edit that replaces `before` in a file. */
function aroundEdit(path: string, original: string, before: string, after: string): readonly string[] {
  const use = edit(path, before, after);
  const response = { filePath: `${PROJECT_ROOT}/${path}`, originalFile: original };
  const [change] = collectEvidence(createObserverBatch({ toolUses: [{ ...use, response }] })).changes;
  return change!.declarations;
}

const GO = `package hooks

func GetHookNames() []string {
	if isOff {
		return nil
	}
	return names
}

var supported = "stop"

var names = []string{
	"start",
}

// Install writes the hooks.
// It overwrites old ones.
func Install(
	dir string,
) error {
	for _, name := range names {
		write(name)
	}
	return nil
}
`;
const SCRIPT = `export const twice = (value: number) => value * 2;
const limit = 3;

export function Cart({
  items,
}: Props) {
  return sum(items);
}

describe('cart', () => {
  it('adds an item', () => {
    expect(1).toBe(1);
  });
});
`;
const JAVA = `class Cart {
    public int total() {
        return sum;
    }

    private double rate = 0.19;

    /**
     * Adds one item.
     */
    @Override
    public void add(Item item) {
        if (item == null) {
            log("none");
        } else {
            items.push(item);
        }
    }
}
`;
const PYTHON = `def load(
    path,
):
    return read(path)

retries = 3

def save(path):
    with open(path) as file:
        file.write("x")
`;
const C = `int first(void)
{
    return 1;
}

static int count = 0;

int second(void)
{
    return 2;
}
`;

describe('readEditSteps', () => {
  it.each([
    ['a statement of a Go function', 'a.go', GO, 'return names', ['GetHookNames()']],
    ['a nested statement', 'a.go', GO, 'return nil\n\t}', ['GetHookNames()']],
    ['a statement behind parameters on several lines', 'a.go', GO, 'write(name)', ['Install()']],
    ['a parameter on its own line', 'a.go', GO, 'dir string', ['Install()']],
    ['the end of a signature', 'a.go', GO, ') error {', ['Install()']],
    ['a method', 'a.java', JAVA, 'return sum', ['total()']],
    ['a statement after else', 'a.java', JAVA, 'items.push(item)', ['add()']],
    ['a component', 'a.tsx', SCRIPT, 'return sum(items)', ['Cart()']],
    ['a test', 'a.ts', SCRIPT, 'expect(1).toBe(1)', ['adds an item']],
    ['a Python function', 'a.py', PYTHON, 'return read(path)', ['load()']],
    ['a block of a Python function', 'a.py', PYTHON, 'file.write("x")', ['save()']],
    ['a C function with the brace on its own line', 'a.c', C, 'return 2;', ['second()']],
    ['a section of a document', 'a.md', '## Use\n\ntext\n\n## Test\n\nmore\n', 'more', ['Test']],
  ])('finds the declarations that contain %s', (_, path, original, line, declarations) => {
    expect(aroundEdit(path, original, line, line.replace(/\w(?=\W*$)/, 'Z'))).toEqual(declarations);
  });

  it.each([
    ['a variable after a Go function', 'a.go', GO, '"stop"'],
    ['a value of a list after a Go function', 'a.go', GO, '"start"'],
    ['a constant after a function of one line', 'a.ts', SCRIPT, 'limit = 3'],
    ['a variable after a Python function', 'a.py', PYTHON, 'retries = 3'],
    ['a variable after a C function', 'a.c', C, 'count = 0'],
  ])('finds no declaration for %s', (_, path, original, line) => {
    expect(aroundEdit(path, original, line, line.replace(/\w(?=\W*$)/, 'Z'))).toEqual([]);
    const [before, after] = [`\n${line}`, `\n${line.replace(/\w(?=\W*$)/, 'Z')}`];
    expect(aroundEdit(path, original.replace(line, before), before, after)).toEqual([]);
  });

  it('finds the class when a field between two methods changes', () => {
    expect(aroundEdit('a.java', JAVA, 'rate = 0.19', 'rate = 0.2')).toEqual(['Cart']);
  });

  it('finds the declaration that directly follows an edited comment', () => {
    expect(aroundEdit('a.go', GO, 'writes the hooks.', 'adds the hooks.')).toEqual(['Install()']);
    expect(aroundEdit('a.java', JAVA, 'Adds one item.', 'Adds an item.')).toEqual(['add()']);
  });

  it('finds no declaration when no declaration directly follows an edited comment', () => {
    const original = 'func First() {\n}\n\n// Old text.\n\nfunc Second() {\n}\n';
    expect(aroundEdit('a.go', original, 'Old text.', 'New text.')).toEqual([]);
  });

  it('excludes the next function when the edit ends in the text above it', () => {
    const before = '\treturn names\n}\n\nvar supported = "stop"';
    expect(aroundEdit('a.go', GO, before, before.replace('names', 'sorted'))).toEqual(['GetHookNames()']);
    expect(aroundEdit('a.go', GO, before, before.replace('stop', 'end'))).toEqual([]);
  });

  it('excludes the previous function when the edit contains only a part of it', () => {
    const before = 'func Install(\n\tdir string,\n) error {\n';
    expect(aroundEdit('a.go', GO, before, `var late = 1\n\n${before}`)).toEqual([]);
  });

  it('finds the declarations in the edit when the old file is not known', () => {
    const use = edit(
      'a.go',
      'func First() {\n\ta()\n}\n\nvar x = 1',
      'func First() {\n\tb()\n}\n\nvar x = 2',
    );
    const [change] = collectEvidence(createObserverBatch({ toolUses: [use] })).changes;
    expect(change!.declarations).toEqual(['First()']);
  });
});
