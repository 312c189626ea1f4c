/** The options of the fat jar: their names, where they may be set, and the server they describe. */
@NullMarked
package dev.peregrine.cli.options;

import org.jspecify.annotations.NullMarked;
