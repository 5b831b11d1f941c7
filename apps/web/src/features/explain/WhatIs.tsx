import { CircleHelp } from 'lucide-react'
import { useState } from 'react'
import { useText } from '../../shared/i18n/index.ts'
import { LazySheet, lazyComponent } from '../../shared/parts/index.ts'
import styles from './explain.module.css'
import type { Word } from './word.ts'

const WordSheet = lazyComponent(async () => (await import('./WordSheet.tsx')).WordSheet)

/** A small button beside a word. It opens a sheet that explains the word in two sentences. */
export function WhatIs({ word }: { word: Word }) {
  const t = useText()
  /** Null until the sheet is first opened, so its code need not be loaded. */
  const [isOpen, setOpen] = useState<boolean | null>(null)
  return (
    <>
      <button
        type="button"
        className={styles.ask}
        aria-label={t('explain.ask', { word: t(`explain.words.${word}.name`) })}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <CircleHelp size={15} aria-hidden="true" />
      </button>
      {isOpen !== null && (
        <LazySheet onFailed={() => setOpen(null)}>
          <WordSheet word={word} open={isOpen} onClose={() => setOpen(false)} />
        </LazySheet>
      )}
    </>
  )
}
