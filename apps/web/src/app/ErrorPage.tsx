import type { ReactNode } from 'react'
import { StateNote, View } from '../shared/ui/index.ts'
import styles from './ErrorPage.module.css'

type ErrorPageProps = {
  code: 403 | 404 | 500
  title: string
  text: string
  children: ReactNode
}

export function ErrorPage({ code, title, text, children }: ErrorPageProps) {
  return (
    <View centered foot={children}>
      <StateNote page picture={<Picture code={code} />} code={code} title={title} text={text} />
    </View>
  )
}

/** The logo in three variants: behind a bar (403), only sketched (404), and with a broken base line (500). */
function Picture({ code }: { code: ErrorPageProps['code'] }) {
  return (
    <svg width="120" height="120" viewBox="0 0 96 96" aria-hidden="true" className={styles.drawing} data-code={code}>
      <g className={styles.veins}>
        <path d={code === 500 ? 'M48 74V16' : 'M48 86V16'} />
        <path d="M48 70C30 62 20 46 18 24" />
        <path d="M48 70c18-8 28-24 30-46" />
      </g>
      {code === 500 ? (
        <path className={styles.seam} d="M16 86h20l5 -5m12 0l5 5h22" />
      ) : (
        <path className={styles.seam} d="M18 86h60" />
      )}
      {code === 403 && (
        <>
          <path className={styles.gap} d="M6 46h84" />
          <path className={styles.seam} d="M10 46h76" />
        </>
      )}
    </svg>
  )
}
