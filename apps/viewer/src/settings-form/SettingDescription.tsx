import type { ReactNode } from 'react';
import type { SettingItem } from './settings-query.js';
import styles from './SettingControl.module.css';

/** The text below a control: problem, description, key and source of the value. */
export function SettingDescription({
  id,
  item: { key, description, source },
  problem,
  origin,
}: {
  /** Id of the control. */
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

/** The key of a setting in settings.json and the environment, and the source of its value. */
export function KeyLine({ name, origin }: { name: string; origin: ReactNode }) {
  return (
    <p className="meta tiny">
      <code>{name}</code>
      {origin ? <span>{origin}</span> : null}
    </p>
  );
}

/** Returns the attribute that links a control to its description and problem. */
export const descriptionProps = (id: string, problem: string | undefined) => ({
  'aria-describedby': problem === undefined ? aboutId(id) : `${aboutId(id)} ${problemId(id)}`,
});

const aboutId = (id: string) => `${id}-about`;
const problemId = (id: string) => `${id}-problem`;
