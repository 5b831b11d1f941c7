import { type Command, PASSWORD_REFUSALS } from '../../shared/command/index.ts'
import { PasswordField } from '../../shared/ui/index.ts'

type PresentPasswordProps = {
  label: string
  value: string
  onValue: (text: string) => void
  command: Command
  /** What moves money is typed each time; elsewhere the browser may fill it in. */
  typed?: boolean
}

/** The fund password that allows a command. What the server said of it stands at the field until it is typed anew. */
export function PresentPassword({ label, value, onValue, command, typed = false }: PresentPasswordProps) {
  return (
    <PasswordField
      kind={typed ? 'typed' : 'present'}
      label={label}
      value={value}
      onValue={(text) => {
        command.forget()
        onValue(text)
      }}
      error={command.at(...PASSWORD_REFUSALS)}
    />
  )
}
