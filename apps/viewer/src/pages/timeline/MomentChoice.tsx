import { useId } from 'react';

/** Goes to another day. */
export function MomentChoice({ onChoose }: { onChoose: (moment: string) => void }) {
  const id = useId();
  return (
    <div className="row small">
      <label htmlFor={id}>Go to</label>
      <input
        id={id}
        type="date"
        onChange={({ target }) => {
          // while a year is being typed it begins with zeros
          if (/^[1-9]\d{3}-/.test(target.value)) onChoose(target.value);
        }}
      />
    </div>
  );
}
