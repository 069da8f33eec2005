import { useState } from 'react';
import { Modal } from '../ui/Modal.js';
import { areLetterKeysOn, switchLetterKeys } from '../ui/use-keys.js';
import { PAGES } from './pages.js';

export function ShortcutList({ onClose }: { onClose: () => void }) {
  const [isOn, setOn] = useState(areLetterKeysOn);
  return (
    <Modal title="Keyboard shortcuts" onClose={onClose}>
      <label className="check">
        <input
          type="checkbox"
          checked={isOn}
          onChange={({ target }) => {
            switchLetterKeys(target.checked);
            setOn(target.checked);
          }}
        />
        Enable single-key shortcuts
      </label>
      <dl className="facts">
        <Row keys={['/']} what="Search" />
        {PAGES.map(({ label, keyAfterG }) => (
          <Row key={keyAfterG} keys={['g', keyAfterG]} what={label} />
        ))}
        <Row keys={['j', 'k']} what="Next and previous record" />
        <Row keys={['f']} what="Filters" />
        <Row keys={['p']} what="Pin the record" />
        <Row keys={['e']} what="Edit the record" />
        <Row keys={['Del']} what="Forget the record" />
        <Row keys={['u']} what="Undo forgetting" />
        <Row keys={['?']} what="Show this list" />
      </dl>
    </Modal>
  );
}

function Row({ keys, what }: { keys: string[]; what: string }) {
  return (
    <div>
      <dt>
        {keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </dt>
      <dd>{what}</dd>
    </div>
  );
}
