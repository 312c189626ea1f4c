/** What a server is built with: its limits, and the types of its parts. */
@NullMarked
package dev.peregrine.server.config;

import org.jspecify.annotations.NullMarked;
