import type { CSSProperties } from 'react'
import styles from './PlanTable.module.css'

type PlanTableProps = {
  /** The name for screen readers. A heading above the table shows it on the screen. */
  label: string
  /** The first head is above the names of the rows. */
  head: readonly string[]
  rows: readonly { readonly name: string; readonly cells: readonly string[] }[]
}

/** A table of figures to compare. The font shrinks if a row would not fit. */
export function PlanTable({ label, head, rows }: PlanTableProps) {
  const characters = head
    .map((words, column) => {
      const below = rows.map(({ name, cells }) => (column === 0 ? longestWord(name) : (cells[column - 1]?.length ?? 0)))
      return Math.max(longestWord(words), ...below) + GAP
    })
    .reduce((sum, width) => sum + width, 0)
  return (
    <div className={styles.fitted}>
      <table className={styles.table} aria-label={label} style={{ '--characters': characters } as CSSProperties}>
        <thead>
          <tr>
            {head.map((words) => (
              <th key={words} scope="col">
                {words}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, cells }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {cells.map((cell, index) => (
                <td key={head[index + 1]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Words may wrap; figures may not. */
const longestWord = (words: string): number => Math.max(...words.split(' ').map((word) => word.length))

/** The space between two columns, in characters. */
const GAP = 1
