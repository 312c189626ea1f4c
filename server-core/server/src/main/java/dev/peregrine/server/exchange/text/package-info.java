/** The text of heads: field lines, targets, dates and lists. No exchanges. */
@NullMarked
package dev.peregrine.server.exchange.text;

import org.jspecify.annotations.NullMarked;
