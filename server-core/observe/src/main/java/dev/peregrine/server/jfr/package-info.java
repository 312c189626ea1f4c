/**
 * The events of the Flight Recorder. The only package that uses the module jdk.jfr, which a runtime
 * image may lack: {@link FlightEvents} loads no other class here before a recording begins.
 */
@NullMarked
package dev.peregrine.server.jfr;

import org.jspecify.annotations.NullMarked;
