import { ChevronRight } from 'lucide-react'
import { Link } from 'react-router'
import styles from './explain.module.css'

type HelpLinkProps = {
  /** The name of its file without the number. `how-to-begin`: the first steps, the coins and the words of the app. */
  article: 'how-to-begin' | 'what-a-pledge-is' | 'what-a-promotion-is' | 'money-in-and-out' | 'output-address'
  text: string
  onLeave?: (() => void) | undefined
}

export function HelpLink({ article, text, onLeave }: HelpLinkProps) {
  return (
    <Link className={styles.link} to={`/setting/help?article=${article}`} onClick={onLeave}>
      <span>{text}</span>
      <ChevronRight size={16} aria-hidden="true" />
    </Link>
  )
}
