import { type DayNumber, dayNumber, startOfDay } from '@lode/kernel'
import { ExpectedFailure } from '../start-up.ts'

export const formatDay = (day: DayNumber): string => `${day} (${startOfDay(day).toISOString().slice(0, 10)})`

export function dayOrRefuse(text: string): DayNumber {
  if (!/^[1-9][0-9]{0,6}$/.test(text))
    throw new ExpectedFailure(`${text} is not the number of a day. lode day list shows the numbers.`)
  return dayNumber(Number(text))
}
