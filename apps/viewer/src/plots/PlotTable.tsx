import { formatPlotDay, type PlotProps } from './plot-data.js';

/** The numbers of a plot as a table, newest first, without empty days. */
export function PlotTable({ label, rows, series, format }: Required<PlotProps>) {
  const shown = rows.filter(({ values }) => series.some(({ key }) => (values[key] ?? 0) !== 0)).reverse();
  return (
    <div className="panel scroll" tabIndex={0} role="region" aria-label={`${label}, as a table`}>
      <table className="table">
        <caption className="visually-hidden">{label}</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            {series.map(({ key, label: name }) => (
              <th key={key} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr key={row.day}>
              <th scope="row">
                <time dateTime={row.day}>{formatPlotDay(row, true)}</time>
              </th>
              {series.map(({ key }) => (
                <td key={key}>{format(row.values[key] ?? 0)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
