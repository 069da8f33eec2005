const HEIGHT = 20;
const STEP = 4;

/** A row of small bars for a table cell. `label` is the text for screen readers. */
export function Sparkline({ values, label }: { values: readonly number[]; label: string }) {
  const highest = Math.max(1, ...values);
  return (
    <svg
      viewBox={`0 0 ${values.length * STEP} ${HEIGHT}`}
      width={values.length * STEP}
      height={HEIGHT}
      role="img"
      aria-label={label}
    >
      {values.map((value, index) => {
        const height = value === 0 ? 1 : Math.max(2, (value / highest) * HEIGHT);
        return (
          <rect
            key={index}
            x={index * STEP}
            y={HEIGHT - height}
            width={STEP - 1}
            height={height}
            fill={value === 0 ? 'var(--border)' : 'var(--accent)'}
          />
        );
      })}
    </svg>
  );
}
