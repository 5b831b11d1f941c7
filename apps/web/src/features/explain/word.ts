/** The words of the app that have an explanation. */
export type Word = 'effective' | 'share' | 'frozen' | 'activated' | 'quota' | 'power'
