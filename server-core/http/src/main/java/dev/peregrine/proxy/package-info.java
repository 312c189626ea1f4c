/** Proxies in front of a server: which peers are trusted, and the facts that they report. */
@NullMarked
package dev.peregrine.proxy;

import org.jspecify.annotations.NullMarked;
