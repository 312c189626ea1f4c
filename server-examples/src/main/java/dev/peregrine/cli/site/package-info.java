/** The handlers of the command {@code serve}. */
@NullMarked
package dev.peregrine.cli.site;

import org.jspecify.annotations.NullMarked;
