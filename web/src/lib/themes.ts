/** Every game's own colours. */
import.meta.glob("../../../src/ludoteca/games/*/web/theme.css", { eager: true });
