/** The words of the host's page and of the door; they come with these, and not with the page's first load. */

import type { Deed } from "./host";
import { settings } from "./settings.svelte";

const HOUR = 3600;
const DAY = 24 * HOUR;

const en = {
  title: "The house, now", doors: "Doors", storage: "Storage", now: "Now", doorsLead: "Who may come in, and who may not.", host: "host", sections: "The house",
  nobody: "There is no such page.", hosts: "If you look after this house, open the link that `ludoteca admin link` prints.",
  people: (count: number, guests: number) => `${count === 1 ? "person" : "people"} here, ${guests} ${guests === 1 ? "guest" : "guests"}`,
  tables: (playing: number) => `tables, ${playing} being played`, bots: "bots", reports: "reports", processor: "of a processor, lately", memory: (free: string) => `memory; ${free} free on the disk`,
  drain: "Stop for new tables", resume: "Take new tables again", restart: "Restart kindly…", restartTitle: "Restart kindly",
  restartText: "No new tables from now on. The house ends when nobody plays any more, and whoever looks after it (systemd, a container) starts it again. Matches that nobody is at go on after that.",
  restartDo: "Restart when empty", waits: "No new tables are taken.", stops: "No new tables are taken: the house restarts when nobody plays any more.",
  here: "Who is here", find: "Name or address", name: "Name", doing: "Doing", address: "Address", since: "Here for", nameless: "(no name yet)",
  plays: (game: string) => `plays ${game}`, watches: (game: string) => `watches ${game}`, lobby: "looks around", muted: "muted", guest: "guest", member: "member", own: "host",
  more: (count: number) => `and ${count} more`, nobodyHere: "Nobody is here.",
  oneAddress: (address: string) => `All guests come from ${address}: a ban by address would hit everybody. Behind a reverse proxy, set trusted_proxies.`,
  deal: (name: string) => `What to do about ${name || "this guest"}?`, dealButton: (name: string) => `Do something about ${name || "this guest"}`,
  kinds: { mute: "Mute", out: "Turn out", ban: "Ban name", address: "Ban address" },
  what: {
    mute: "Nobody hears what they say. They play on.", out: "Their connection is closed, and the name stays out for a while.",
    ban: "Nobody comes in by this name. Who is here by it is turned out.", address: "Nobody comes in from there. Everybody who is here from there is turned out.",
  },
  long: "How long", longs: { 600: "10 min", [HOUR]: "1 hour", [DAY]: "1 day", [7 * DAY]: "1 week", 0: "for good" } as Record<number, string>, reason: "Reason, told to them",
  cancel: "Cancel", doIt: "Do it",
  say: "Say to all", message: "Message", send: "Send", said: "Everybody has been told.",
  tablesTitle: "Tables", noTables: "There is no table.", private: "private", free: "free", open: "open", playing: "playing", over: "over", watching: (count: number) => `${count} watch`,
  look: "Look on", close: "Close", closeTitle: (label: string) => `Close ${label}?`,
  closeText: (people: number) => `${people === 1 ? "One person is" : `${people} people are`} at this table. A match is broken off without a result; those who played may play it on against bots.`,
  closeDo: "Close the table",
  reportsTitle: "Reports", noReports: "Nothing was reported.", about: (name: string, about: string) => `${name} about ${about}`, settle: "Seen to",
  mayCome: "Who may come in", houseIs: "The house is", openToAll: "open to all", withPassword: "with the password", byInvitation: "by invitation",
  password: "Password", newPassword: "New password", isSet: "is set", notSet: "is not set", set: "Set", guests: "Guests", mayWatch: "only watch", stayOut: "stay out",
  names: "Names without a key", namesHint: "For programs whose protocol cannot carry a key: names, separated by commas.", save: "Save",
  changeNote: "A change counts for those who come; nobody here is turned out by it.", pinned: "The settings of the house say this; it is changed there.",
  invitations: "Invitations", invite: "New invitation", for: "For", used: "Used", ends: "Ends", usedOf: (used: number, uses: number) => (uses ? `${used} of ${uses}` : `${used}`), never: "never", withdraw: "Withdraw", noInvitations: "There is no invitation.",
  inviteTitle: "New invitation", uses: "For how many", any: "any number", inviteDo: "Make the link", link: "The link, shown this once", hostLink: "Make another host", keys: "Hosts and keys",
  keptOut: "Kept out", add: "Add", nobodyOut: "Nobody is kept out.", until: (when: string) => `until ${when}`, forGood: "for good", tries: (count: number) => `${count} tries`, lift: "Lift", muteShort: "mute",
  log: "What hosts did", nothing: "Nothing yet.", failed: "Not done:", unreachable: "The house does not answer.", banTitle: "Keep somebody out",
  come: "Come in", belongs: (name: string) => `This house belongs to ${name}.`, withEither: "Come in with its password, or with an invitation.", withLink: "Come in with an invitation: ask somebody who is in for a link.",
  housePassword: "House password", wrong: "Not this one.", later: (seconds: number) => `Too many tries. The next one in ${seconds} s.`, yourName: "Your name", badLink: "This invitation is not good any more. Ask for another one.", toHouse: "Go in", notOpen: "This house is not open to all.", out: "You are kept out of this house.",
  day: "A day", dayPeople: (most: number) => `people, ${most} at the top`, dayBusy: (busiest: number) => `processor, ${busiest} % at the top`, dayMoves: (moves: number) => `${moves} moves`,
  dayNote: (moves: number, since: string) => `${moves} moves by people since ${since}; bots think in processes of their own. A new start begins a new curve.`,
  kept: "What is kept", inOneFile: (size: string) => `${size} in one file`, whatKept: "What", count: "Count", sizeOf: "Size", liveTables: "Tables open or being played", overMatches: "Finished matches", allRecords: "Records of all of them", spare: "Room in the file that is used again", diskFree: "Free on its disk", of: (part: string, all: string) => `${part} of ${all}`,
  grows: (day: string, week: string, month: string, size: string) => `Finished in the last day ${day}, week ${week}, month ${month}: about ${size} a month.`,
  backUp: "Back up now", checkAll: "Check every match", prune: "Remove old matches…", workRuns: "is being done…", workDone: "done", workFailed: "failed", works: { backup: "Copy", verify: "Check of every match", prune: "Old matches removed" },
  copies: "Copies", lastCopy: (at: string) => `the newest: ${at}`, noCopies: "There is no copy yet.", copiesNote: (keep: number) => `The newest ${keep} stay (backups_keep). A copy on the same disk is lost with it: set backups to another, or carry them away. Folder:`,
  version: "Version", runningSince: "Running since", schema: "Form of the journal", ways: "Ways in", certificate: "Certificate",
  pruneTitle: "Remove old matches", pruneText: "Finished matches that ended before then are removed for good, and so are lines of the log that nothing hangs on. Back up first if you may want them again.", olderThan: "Older than", age: (days: number, count: string) => `${days < 365 ? `${days} days` : days === 365 ? "a year" : "two years"}: ${count} matches`, pruneDo: "Remove them",
  deed: (deed: Deed): string => {
    const did = deed.did;
    switch (did.type) {
      case "say": return `said: ${did.text}`;
      case "mute": return `muted ${did.name}`;
      case "out": return `turned ${did.name} out`;
      case "ban": return `banned ${did.name || did.address}`;
      case "lift": return `lifted ${did.id}`;
      case "close": return `closed table ${did.table}`;
      case "drain": return did.then === "stop" ? "restarts the house when it is empty" : "stopped new tables";
      case "resume": return "takes new tables again";
      case "door": return `changed the door${did.door ? `: ${did.door}` : ""}${did.password ? ", new password" : ""}`;
      case "invited": return did.role === "host" ? `made a link for a host (${did.label})` : `invited ${did.label || "somebody"}`;
      case "admitted": return did.role === "host" ? `${did.label} became host` : `made a key for ${did.label || "a program"}`;
      case "withdraw": return `withdrew ${did.id}`;
      case "settle": return `saw to report ${did.id}`;
      case "backup": return "made a copy";
      case "verify": return "had every match checked";
      case "prune": return `removed what is older than ${did.days} days`;
      default: return did.type;
    }
  },
};

const it: typeof en = {
  title: "La casa, adesso", doors: "Porte", storage: "Archivio", now: "Adesso", doorsLead: "Chi può entrare, e chi no.", host: "ospite", sections: "La casa",
  nobody: "Questa pagina non c'è.", hosts: "Se ti occupi di questa casa, apri il link che stampa `ludoteca admin link`.",
  people: (count, guests) => `${count === 1 ? "persona" : "persone"} qui, ${guests} senza chiave`,
  tables: (playing) => `tavoli, ${playing} in gioco`, bots: "bot", reports: "segnalazioni", processor: "di un processore, di recente", memory: (free) => `memoria; ${free} liberi sul disco`,
  drain: "Niente tavoli nuovi", resume: "Di nuovo tavoli nuovi", restart: "Riavvia con calma…", restartTitle: "Riavvia con calma",
  restartText: "Da ora niente tavoli nuovi. La casa si chiude quando non gioca più nessuno, e chi la sorveglia (systemd, un container) la riapre. Le partite a cui non c'è nessuno proseguono dopo.",
  restartDo: "Riavvia quando è vuota", waits: "Non si aprono tavoli nuovi.", stops: "Non si aprono tavoli nuovi: la casa si riavvia quando non gioca più nessuno.",
  here: "Chi c'è", find: "Nome o indirizzo", name: "Nome", doing: "Che cosa fa", address: "Indirizzo", since: "Da", nameless: "(ancora senza nome)",
  plays: (game) => `gioca a ${game}`, watches: (game) => `guarda ${game}`, lobby: "si guarda intorno", muted: "muto", guest: "senza chiave", member: "membro", own: "ospita",
  more: (count) => `e altri ${count}`, nobodyHere: "Non c'è nessuno.",
  oneAddress: (address) => `Tutti arrivano da ${address}: un bando per indirizzo colpirebbe tutti. Dietro un proxy, imposta trusted_proxies.`,
  deal: (name) => `Che cosa fare con ${name || "questa persona"}?`, dealButton: (name) => `Fai qualcosa con ${name || "questa persona"}`,
  kinds: { mute: "Togli la parola", out: "Metti alla porta", ban: "Bandisci il nome", address: "Bandisci l'indirizzo" },
  what: {
    mute: "Nessuno sente che cosa dice. Continua a giocare.", out: "La connessione si chiude, e il nome resta fuori per un po'.",
    ban: "Nessuno entra con questo nome. Chi è qui con questo nome esce.", address: "Nessuno entra da lì. Tutti quelli che sono qui da lì escono.",
  },
  long: "Per quanto", longs: { 600: "10 min", [HOUR]: "1 ora", [DAY]: "1 giorno", [7 * DAY]: "1 settimana", 0: "per sempre" }, reason: "Motivo, che verrà detto",
  cancel: "Annulla", doIt: "Fallo",
  say: "Di' a tutti", message: "Messaggio", send: "Invia", said: "L'hanno sentito tutti.",
  tablesTitle: "Tavoli", noTables: "Non c'è nessun tavolo.", private: "privato", free: "libero", open: "aperto", playing: "in gioco", over: "finito", watching: (count) => `${count} guardano`,
  look: "Guarda", close: "Chiudi", closeTitle: (label) => `Chiudere ${label}?`,
  closeText: (people) => `A questo tavolo ${people === 1 ? "c'è una persona" : `ci sono ${people} persone`}. Una partita si interrompe senza risultato; chi giocava può proseguirla contro i bot.`,
  closeDo: "Chiudi il tavolo",
  reportsTitle: "Segnalazioni", noReports: "Nessuna segnalazione.", about: (name, about) => `${name} su ${about}`, settle: "Sistemata",
  mayCome: "Chi può entrare", houseIs: "La casa è", openToAll: "aperta a tutti", withPassword: "con la password", byInvitation: "su invito",
  password: "Password", newPassword: "Nuova password", isSet: "c'è", notSet: "non c'è", set: "Imposta", guests: "Chi è senza chiave", mayWatch: "guarda soltanto", stayOut: "resta fuori",
  names: "Nomi senza chiave", namesHint: "Per programmi il cui protocollo non può portare una chiave: nomi, separati da virgole.", save: "Salva",
  changeNote: "Una modifica vale per chi arriva; nessuno di chi è qui viene messo fuori.", pinned: "Lo dicono le impostazioni della casa; si cambia lì.",
  invitations: "Inviti", invite: "Nuovo invito", for: "Per", used: "Usato", ends: "Scade", usedOf: (used, uses) => (uses ? `${used} di ${uses}` : `${used}`), never: "mai", withdraw: "Ritira", noInvitations: "Non c'è nessun invito.",
  inviteTitle: "Nuovo invito", uses: "Per quanti", any: "quanti vogliono", inviteDo: "Crea il link", link: "Il link, mostrato solo ora", hostLink: "Un altro che ospita", keys: "Chi ospita, e chiavi",
  keptOut: "Tenuti fuori", add: "Aggiungi", nobodyOut: "Nessuno è tenuto fuori.", until: (when) => `fino a ${when}`, forGood: "per sempre", tries: (count) => `${count} tentativi`, lift: "Revoca", muteShort: "muto",
  log: "Che cosa ha fatto chi ospita", nothing: "Ancora niente.", failed: "Non fatto:", unreachable: "La casa non risponde.", banTitle: "Tieni fuori qualcuno",
  come: "Entra", belongs: (name) => `Questa casa è di ${name}.`, withEither: "Entra con la password, o con un invito.", withLink: "Si entra su invito: chiedi un link a chi è già dentro.",
  housePassword: "Password della casa", wrong: "Non è questa.", later: (seconds) => `Troppi tentativi. Il prossimo fra ${seconds} s.`, yourName: "Il tuo nome", badLink: "Questo invito non vale più. Chiedine un altro.", toHouse: "Entra", notOpen: "Questa casa non è aperta a tutti.", out: "Sei tenuto fuori da questa casa.",
  day: "Una giornata", dayPeople: (most) => `persone, al massimo ${most}`, dayBusy: (busiest) => `processore, al massimo ${busiest} %`, dayMoves: (moves) => `${moves} mosse`,
  dayNote: (moves, since) => `${moves} mosse di persone dalle ${since}; i bot pensano in processi propri. A ogni avvio la curva ricomincia.`,
  kept: "Che cosa si conserva", inOneFile: (size) => `${size} in un file`, whatKept: "Che cosa", count: "Quanti", sizeOf: "Spazio", liveTables: "Tavoli aperti o in gioco", overMatches: "Partite finite", allRecords: "I loro verbali", spare: "Spazio nel file che si riusa", diskFree: "Libero sul suo disco", of: (part, all) => `${part} su ${all}`,
  grows: (day, week, month, size) => `Finite nell'ultimo giorno ${day}, settimana ${week}, mese ${month}: circa ${size} al mese.`,
  backUp: "Fai una copia", checkAll: "Controlla ogni partita", prune: "Togli le vecchie partite…", workRuns: "in corso…", workDone: "fatto", workFailed: "non riuscito", works: { backup: "Copia", verify: "Controllo di ogni partita", prune: "Vecchie partite tolte" },
  copies: "Copie", lastCopy: (at) => `l'ultima: ${at}`, noCopies: "Non c'è ancora nessuna copia.", copiesNote: (keep) => `Restano le ultime ${keep} (backups_keep). Una copia sullo stesso disco si perde con lui: imposta backups su un altro, o portale via. Cartella:`,
  version: "Versione", runningSince: "In funzione da", schema: "Forma del giornale", ways: "Vie d'accesso", certificate: "Certificato",
  pruneTitle: "Togli le vecchie partite", pruneText: "Le partite finite prima di allora vengono tolte per sempre, e con loro le righe del registro da cui non dipende più niente. Se potrebbero servire, fai prima una copia.", olderThan: "Più vecchie di", age: (days, count) => `${days < 365 ? `${days} giorni` : days === 365 ? "un anno" : "due anni"}: ${count} partite`, pruneDo: "Toglile",
  deed: (deed) => {
    const did = deed.did;
    switch (did.type) {
      case "say": return `ha detto: ${did.text}`;
      case "mute": return `ha tolto la parola a ${did.name}`;
      case "out": return `ha messo alla porta ${did.name}`;
      case "ban": return `ha bandito ${did.name || did.address}`;
      case "lift": return `ha revocato ${did.id}`;
      case "close": return `ha chiuso il tavolo ${did.table}`;
      case "drain": return did.then === "stop" ? "riavvia la casa quando è vuota" : "ha fermato i tavoli nuovi";
      case "resume": return "accetta di nuovo tavoli";
      case "door": return `ha cambiato la porta${did.door ? `: ${did.door}` : ""}${did.password ? ", nuova password" : ""}`;
      case "invited": return did.role === "host" ? `ha creato un link per chi ospita (${did.label})` : `ha invitato ${did.label || "qualcuno"}`;
      case "admitted": return did.role === "host" ? `${did.label} ora ospita` : `ha creato una chiave per ${did.label || "un programma"}`;
      case "withdraw": return `ha ritirato ${did.id}`;
      case "settle": return `ha sistemato la segnalazione ${did.id}`;
      case "backup": return "ha fatto una copia";
      case "verify": return "ha fatto controllare ogni partita";
      case "prune": return `ha tolto ciò che ha più di ${did.days} giorni`;
      default: return did.type;
    }
  },
};

/** Read inside markup or an effect it follows the language. */
export function w(): typeof en {
  return settings.language === "it" ? it : en;
}
