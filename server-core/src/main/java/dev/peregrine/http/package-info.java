/** What handlers are written against. */
@NullMarked
package dev.peregrine.http;

import org.jspecify.annotations.NullMarked;
