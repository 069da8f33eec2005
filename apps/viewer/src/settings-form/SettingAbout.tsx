import type { ReactNode } from 'react';
import type { SettingItem } from './settings-query.js';
import styles from './SettingControl.module.css';

/** What stands below a control: what is wrong, what it does, whether it can be changed here, and its key. */
export function SettingAbout({
  id,
  item: { key, description, source },
  problem,
  origin,
}: {
  /** Of the control. */
  id: string;
  item: SettingItem;
  problem: string | undefined;
  origin: ReactNode;
}) {
  return (
    <>
      {problem !== undefined && (
        <p id={problemId(id)} className={`danger small ${styles['problem']}`}>
          {problem}
        </p>
      )}
      <div id={aboutId(id)} className={`muted small measure ${styles['about']}`}>
        <p>{description}</p>
        {source === 'env' && <p>The environment sets this setting. Change it there.</p>}
        <KeyLine name={key} origin={origin} />
      </div>
    </>
  );
}

/** What a setting is called where files and the environment set it, and where its value comes from. */
export function KeyLine({ name, origin }: { name: string; origin: ReactNode }) {
  return (
    <p className="meta tiny">
      <code>{name}</code>
      {origin ? <span>{origin}</span> : null}
    </p>
  );
}

/** For the control: what it is described by. */
export const describedBy = (id: string, problem: string | undefined) => ({
  'aria-describedby': problem === undefined ? aboutId(id) : `${aboutId(id)} ${problemId(id)}`,
});

const aboutId = (id: string) => `${id}-about`;
const problemId = (id: string) => `${id}-problem`;
