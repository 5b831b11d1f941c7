import { Search } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { errorText, queryClient, read } from '../../shared/api/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Field, IconButton } from '../../shared/ui/index.ts'

/** Finds a member of the five layers by its address, or by the last six digits that the app shows. */
export function NetSearch({ onFound }: { onFound: (node: string) => void }) {
  const t = useText()
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)

  async function search(event: FormEvent): Promise<void> {
    event.preventDefault()
    const find = typed.trim().replace(/^…/, '')
    if (!isAddressOrTail(find)) return setProblem(t('team.searchFormat'))
    setBusy(true)
    try {
      // Without a network it fails, instead of waiting for one.
      const { path } = await queryClient.fetchQuery({ ...read('team/net', { find }), networkMode: 'always' })
      const found = path.at(-1)
      if (found) onFound(found.id)
      setTyped('')
    } catch (error) {
      setProblem(errorText(t, error instanceof Error ? error : new Error(String(error))))
    } finally {
      setBusy(false)
    }
  }

  return (
    <form onSubmit={search} noValidate>
      <Field
        label={t('team.search')}
        type="search"
        enterKeyHint="search"
        value={typed}
        onValue={(value) => {
          setTyped(value)
          setProblem(undefined)
        }}
        hint={t('team.searchFormat')}
        error={problem}
        end={<IconButton type="submit" label={t('team.searchButton')} icon={<Search size={20} />} disabled={busy} />}
      />
    </form>
  )
}

const isAddressOrTail = (text: string): boolean => /^(?:0x[0-9a-f]{40}|[0-9a-f]{6})$/i.test(text)
