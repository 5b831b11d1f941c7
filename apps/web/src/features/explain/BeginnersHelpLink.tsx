import { ChevronRight } from 'lucide-react'
import { Link } from 'react-router'
import styles from './explain.module.css'

/** The help article about the first steps, the coins and the words of the app. */
const HOW_TO_BEGIN = '/setting/help?article=how-to-begin'

export function BeginnersHelpLink({ text, onLeave }: { text: string; onLeave: () => void }) {
  return (
    <Link className={styles.link} to={HOW_TO_BEGIN} onClick={onLeave}>
      <span>{text}</span>
      <ChevronRight size={16} aria-hidden="true" />
    </Link>
  )
}
